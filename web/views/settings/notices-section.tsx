import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { Link } from 'react-router'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Notices } from '../../../contract/push.ts'
import { changeNoticesAtom, fetchNoticesAtom } from '../../atoms/push.ts'
import { SettingsSection } from '../../components/settings-section.tsx'
import { useLoad } from '../../components/use-load.ts'
import { useSetting } from '../../components/use-setting.ts'
import { PATHS } from '../../lib/links.ts'
import { Switch } from '../../ui/checkbox.tsx'
import { FailedNotice, Skeleton } from '../../ui/states.tsx'

/** Whether the user is notified of what others add here, and gets a weekly mail. */
export function NoticesSection({ id }: { id: string }) {
  const fetchNotices = useSetAtom(fetchNoticesAtom)
  const changeNotices = useSetAtom(changeNoticesAtom)
  const [found, setFound] = useState<{ notices: Notices; sendsMail: boolean } | null>(null)
  const [failure, load] = useLoad(async () => setFound(await fetchNotices(id)))
  const [edit, choose] = useSetting<Partial<Notices>>({}, async (next) => {
    await changeNotices(id, next)
    setFound((now) => now && { ...now, notices: { ...now.notices, ...next } })
  })
  const change = (one: Partial<Notices>) => void choose({ ...edit, ...one })
  const notices = found && { ...found.notices, ...edit }
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
            onCheckedChange={(on) => change({ muted: !on })}
          />
          {found?.sendsMail && (
            <Switch
              label={t`Weekly mail`}
              hint={
                notices.muted
                  ? t`Paused while notifications of this collection are off.`
                  : t`What is new, with pictures, every Monday morning. None in a week without anything new.`
              }
              checked={notices.weekly}
              onCheckedChange={(weekly) => change({ weekly })}
            />
          )}
        </div>
      )}
    </SettingsSection>
  )
}
