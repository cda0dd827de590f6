import { useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { fetchMutedAtom, muteAtom } from '../../atoms/push.ts'
import { useAct } from '../../components/overlays/use-act.ts'
import { SettingsSection } from '../../components/settings-section.tsx'
import { PATHS } from '../../lib/links.ts'
import { messageOf } from '../../lib/message-of.ts'
import { Switch } from '../../ui/checkbox.tsx'
import { Notice, Skeleton } from '../../ui/states.tsx'

/** Whether the user is notified of what others add here. */
export function NoticesSection({ id }: { id: string }) {
  const fetchMuted = useSetAtom(fetchMutedAtom)
  const mute = useSetAtom(muteAtom)
  const act = useAct()
  const [muted, setMuted] = useState<boolean | null>(null)
  const [failure, setFailure] = useState('')
  useEffect(() => {
    let left = false
    fetchMuted(id).then(
      (found) => left || setMuted(found),
      (error: unknown) => left || setFailure(messageOf(error)),
    )
    return () => {
      left = true
    }
  }, [fetchMuted, id])
  const change = async (next: boolean) => {
    setMuted(next)
    if (!(await act(() => mute(id, next)))) setMuted(!next)
  }
  return (
    <SettingsSection
      title="Notifications"
      description={
        <>
          For you only, on the devices where you have turned them on in your{' '}
          <Link to={`${PATHS.profile}#notifications`} className="underline underline-offset-2">
            profile settings
          </Link>
          .
        </>
      }
    >
      {muted === null && failure ? (
        <Notice tone="warning">{failure}</Notice>
      ) : muted === null ? (
        <Skeleton className="h-12" />
      ) : (
        <Switch
          label="Notify me when others add items"
          hint="At most one message every few minutes, and none while you have the collection open."
          checked={!muted}
          onCheckedChange={(on) => void change(!on)}
        />
      )}
    </SettingsSection>
  )
}
