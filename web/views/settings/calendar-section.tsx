import { useSetAtom } from 'jotai'
import { useRef, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { CalendarLink } from '../../../contract/calendar.ts'
import type { Collection } from '../../../contract/collections.ts'
import { fetchCalendarLinkAtom, makeCalendarLinkAtom, revokeCalendarLinkAtom } from '../../atoms/calendar-link.ts'
import { CopyField } from '../../components/fields/copy-field.tsx'
import { type Confirmation, useConfirm } from '../../components/overlays/confirm-dialog.tsx'
import { useAct } from '../../components/overlays/use-act.ts'
import { useReauthentication } from '../../components/session/use-reauthentication.ts'
import { SettingsSection } from '../../components/settings-section.tsx'
import { useLoad } from '../../components/use-load.ts'
import { dayHere } from '../../lib/dates/moments.ts'
import { formatDay } from '../../lib/dates/text.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FailedNotice, Skeleton } from '../../ui/states.tsx'

/** A secret URL for the user's calendar app. It is shown once, when it is created. */
export function CalendarSection({ collection }: { collection: Collection }) {
  const { id } = collection
  const fetchLink = useSetAtom(fetchCalendarLinkAtom)
  const [link, setLink] = useState<CalendarLink | null>()
  const [url, setUrl] = useState<string | null>(null)
  const [failure, load] = useLoad(async () => setLink(await fetchLink(id)))
  return (
    <SettingsSection
      title={t`Calendar link`}
      description={t`Shows this collection in a calendar app, for example on your phone. The link is personal: it stops working when you leave.`}
    >
      {link !== undefined ? (
        <LinkControls
          id={id}
          link={link}
          url={url}
          onChange={(next, address) => {
            setLink(next)
            setUrl(address)
          }}
        />
      ) : failure ? (
        <FailedNotice message={failure} onRetry={load} />
      ) : (
        <Skeleton className="h-16" />
      )}
    </SettingsSection>
  )
}

const day = (moment: string) => formatDay(dayHere(moment), 'short')

interface LinkControlsProps {
  id: string
  link: CalendarLink | null
  /** Only right after it was created. */
  url: string | null
  onChange: (link: CalendarLink | null, url: string | null) => void
}

function LinkControls({ id, link, url, onChange }: LinkControlsProps) {
  const make = useSetAtom(makeCalendarLinkAtom)
  const revoke = useSetAtom(revokeCalendarLinkAtom)
  const act = useAct()
  const withReauthentication = useReauthentication()
  const confirm = useConfirm()
  const [notes, setNotes] = useState(link?.notes ?? false)
  const [busy, setBusy] = useState(false)
  const lasting = useRef<HTMLButtonElement>(null)

  const create = async () => {
    if (link && !(await confirm(replacing()))) return
    setBusy(true)
    await act(async () => {
      const made = await withReauthentication(() => make(id, notes))
      if (made) onChange(made.link, made.url)
    })
    setBusy(false)
  }
  const end = async () => {
    if (!(await confirm(revoking()))) return
    await act(async () => {
      await revoke(id)
      onChange(null, null)
      // The button that had the focus goes.
      lasting.current?.focus()
    })
  }
  return (
    <div className="grid gap-4">
      {url && (
        <CopyField
          label={t`Your link`}
          hint={t`Copy it now: it will not be shown again. Anyone who has it can read the events of this collection.`}
          value={url}
          copied={t`Calendar link copied`}
        />
      )}
      {link && !url && (
        <p className="text-sm">
          {link.last_used_at ? (
            <Trans>
              Made on {day(link.created_at)}
              <span className="text-muted">, last read on {day(link.last_used_at)}</span>
            </Trans>
          ) : (
            <Trans>
              Made on {day(link.created_at)}
              <span className="text-muted">, not read yet</span>
            </Trans>
          )}
        </p>
      )}
      <Checkbox checked={notes} onCheckedChange={setNotes} label={t`Include notes`} />
      <div className="flex flex-wrap gap-2">
        <Button ref={lasting} icon={link ? 'refresh' : 'link'} loading={busy} onClick={() => void create()}>
          {link ? t`Replace link` : t`Create link`}
        </Button>
        {link && (
          <Button variant="ghost" onClick={() => void end()}>
            <Trans>Revoke</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}

const replacing = (): Confirmation => ({
  title: t`Replace the calendar link?`,
  description: t`Apps that use the current link get no updates until you give them the new one.`,
  confirm: t`Replace`,
})
const revoking = (): Confirmation => ({
  title: t`Revoke the calendar link?`,
  description: t`Apps that use it get no more updates.`,
  confirm: t`Revoke`,
  danger: true,
})
