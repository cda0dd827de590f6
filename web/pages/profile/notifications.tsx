import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { type Said, say } from '#language'
import { msg, t } from '#say'
import { fetchAccessAtom } from '../../atoms/access.ts'
import { pushStateAtom, readPushStateAtom, switchPushAtom } from '../../atoms/push.ts'
import { useAct } from '../../components/overlays/use-act.ts'
import { useReauthentication } from '../../components/session/use-reauthentication.ts'
import { useLoad } from '../../components/use-load.ts'
import type { PushState } from '../../lib/pwa/push.ts'
import { Switch } from '../../ui/checkbox.tsx'
import { FailedNotice, Notice, Skeleton } from '../../ui/states.tsx'

/** Why this device cannot receive notifications. */
const REASONS: Partial<Record<PushState, Said>> = {
  unable: msg`This browser cannot show notifications. On an iPhone or iPad, add Cairn to the home screen and open it from there.`,
  blocked: msg`Notifications of this site are blocked. Allow them in the settings of your browser, then come back.`,
  unavailable: msg`This site sends no notifications.`,
}

export function Notifications() {
  const state = useAtomValue(pushStateAtom)
  const readState = useSetAtom(readPushStateAtom)
  const switchPush = useSetAtom(switchPushAtom)
  const fetchAccess = useSetAtom(fetchAccessAtom)
  const act = useAct()
  const withReauthentication = useReauthentication()
  const [busy, setBusy] = useState(false)
  const [failure, load] = useLoad(readState)
  const change = async (on: boolean) => {
    if (busy) return
    setBusy(true)
    await act(() => withReauthentication(() => switchPush(on)))
    setBusy(false)
    // It lists the devices with notifications.
    await fetchAccess().catch(() => undefined)
  }
  if (!state) return failure ? <FailedNotice message={failure} onRetry={load} /> : <Skeleton className="h-12" />
  const reason = REASONS[state]
  if (reason) return <Notice tone="info">{say(reason)}</Notice>
  return (
    <Switch
      label={t`Notifications on this device`}
      hint={t`Invitations at once, and what others add to your collections: one message for each collection every few minutes. Mute a collection in its settings.`}
      checked={state === 'on'}
      onCheckedChange={(on) => void change(on)}
    />
  )
}
