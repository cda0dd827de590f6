import { useAtomValue, useSetAtom } from 'jotai'
import { useOptimistic, useTransition } from 'react'
import { profileAtom, updateProfileAtom } from '../../atoms/profile.ts'
import { Switch } from '../../ui/checkbox.tsx'
import { useAct } from '../overlays/use-act.ts'

/** Kept by the server, which then leaves this person out of what it tells the others. */
export function PresenceSwitch() {
  const profile = useAtomValue(profileAtom)
  const update = useSetAtom(updateProfileAtom)
  const act = useAct()
  const [, startTransition] = useTransition()
  const [shares, setShares] = useOptimistic(profile?.sharesPresence ?? true)
  const change = (sharesPresence: boolean) =>
    startTransition(async () => {
      setShares(sharesPresence)
      await act(() => update({ sharesPresence }))
    })
  return (
    <Switch
      label="Show others what I am looking at"
      hint="Off, you are not listed as being there, nor as editing something. You still see the others, and your changes still reach them at once."
      checked={shares}
      disabled={profile === null}
      onCheckedChange={change}
    />
  )
}
