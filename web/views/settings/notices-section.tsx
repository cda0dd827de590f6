import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { Link } from 'react-router'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Notices } from '../../../contract/push.ts'
import { changeNoticesAtom, fetchNoticesAtom } from '../../atoms/push.ts'
import { useAct } from '../../components/overlays/use-act.ts'
import { SettingsSection } from '../../components/settings-section.tsx'
import { useLoad } from '../../components/use-load.ts'
import { PATHS } from '../../lib/links.ts'
import { Switch } from '../../ui/checkbox.tsx'
import { FailedNotice, Skeleton } from '../../ui/states.tsx'

/** Whether the user is notified of what others add here, and gets a weekly mail. */
export function NoticesSection({ id }: { id: string }) {
  const fetchNotices = useSetAtom(fetchNoticesAtom)
  const changeNotices = useSetAtom(changeNoticesAtom)
  const act = useAct()
  const [notices, setNotices] = useState<Notices | null>(null)
  const [sendsMail, setSendsMail] = useState(false)
  const [failure, load] = useLoad(async () => {
    const found = await fetchNotices(id)
    setNotices(found.notices)
    setSendsMail(found.sendsMail)
  })
  const set = (change: Partial<Notices>) => setNotices((now) => now && { ...now, ...change })
  const change = async (next: Partial<Notices>, before: Partial<Notices>) => {
    set(next)
    if (!(await act(() => changeNotices(id, next)))) set(before)
  }
  return (
    <SettingsSection
      title={t`Notifications`}
      description={
        <Trans>
          For you only. Notifications are shown on the devices where you have turned them on in your{' '}
          <Link to={`${PATHS.profile}#notifications`} className="underline underline-offset-2">
            profile settings
          </Link>
          .
        </Trans>
      }
    >
      {notices === null && failure ? (
        <FailedNotice message={failure} onRetry={load} />
      ) : notices === null ? (
        <Skeleton className="h-12" />
      ) : (
        <div className="grid gap-5">
          <Switch
            label={t`Notify me when others add items or comment`}
            hint={t`At most one message every few minutes, and none while you have the collection open.`}
            checked={!notices.muted}
            onCheckedChange={(on) => void change({ muted: !on }, { muted: on })}
          />
          {sendsMail && (
            <Switch
              label={t`Weekly mail`}
              hint={
                notices.muted
                  ? t`Paused while notifications of this collection are off.`
                  : t`What is new, with pictures, every Monday morning. None in a week without anything new.`
              }
              checked={notices.weekly}
              onCheckedChange={(weekly) => void change({ weekly }, { weekly: !weekly })}
            />
          )}
        </div>
      )}
    </SettingsSection>
  )
}
