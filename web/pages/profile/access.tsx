import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useId, useRef } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { AccessKind, CalendarLinkAccess, LinkAccess, PushAccess, SessionAccess } from '../../../contract/access.ts'
import { agentText } from '../../../contract/agent-text.ts'
import type { Token, TokenScope } from '../../../contract/tokens.ts'
import { accessAtom, fetchAccessAtom, revokeAccessAtom, revokeAllAccessAtom } from '../../atoms/access.ts'
import { dateSettingsKeyAtom } from '../../atoms/profile.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { focusBeside } from '../../components/focus-beside.ts'
import { useConfirm } from '../../components/overlays/confirm-dialog.tsx'
import { useAct } from '../../components/overlays/use-act.ts'
import { useOpen } from '../../components/overlays/use-open.ts'
import { ROW, ROWS } from '../../components/settings-section.tsx'
import { useLoad } from '../../components/use-load.ts'
import { dayHere } from '../../lib/dates/moments.ts'
import { formatDay } from '../../lib/dates/text.ts'
import { collectionLink } from '../../lib/links.ts'
import { Button } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { EmptyNotice } from '../../ui/empty-notice.tsx'
import { Icon } from '../../ui/icon.tsx'
import { FailedNotice, Skeleton } from '../../ui/states.tsx'

const loadToken = async () => (await import('./token-dialog.tsx')).TokenDialog

/** Everything that opens the user's collections, and how to revoke it. */
export function Access() {
  // Rendered again when the reader changes how dates are written.
  useAtomValue(dateSettingsKeyAtom)
  const access = useAtomValue(accessAtom)
  const fetchAccess = useSetAtom(fetchAccessAtom)
  const open = useOpen()
  const [failure, load] = useLoad(fetchAccess)
  if (!access && failure) return <FailedNotice message={failure} onRetry={load} />
  if (!access) return <Skeleton className="h-64" />
  const { sessions, tokens, calendarLinks, push, links } = access
  return (
    <div className="grid gap-8">
      <Part
        anchor="devices"
        title={t`Devices`}
        description={t`Where you are signed in.`}
        rows={sessions.map((session) => <SessionRow key={session.id} session={session} />)}
      >
        <SignOutEverywhere />
      </Part>
      <Part
        anchor="tokens"
        title={t`Access tokens`}
        description={t`For scripts and other apps that act in your name, within a token’s permissions.`}
        rows={tokens.map((token) => <TokenRow key={token.id} token={token} />)}
        none={t`You have no access tokens.`}
      >
        <Button icon="add" onClick={() => void open(loadToken, {})}>
          <Trans>New token</Trans>
        </Button>
      </Part>
      <Part
        anchor="calendar-links"
        title={t`Calendar links`}
        description={t`For calendar apps. You make one in the settings of a collection.`}
        rows={calendarLinks.map((link) => <CalendarLinkRow key={link.id} link={link} />)}
        none={t`You have no calendar links.`}
      />
      <Part
        anchor="links"
        title={t`Links`}
        description={t`With them, people without an account see what you share. You end one in the settings of its collection.`}
        rows={links.map((link) => <LinkRow key={link.id} link={link} />)}
        none={t`You have made no links.`}
      />
      <Part
        anchor="push"
        title={t`Devices with notifications`}
        description={t`Notifications name collections and people. They end when the device is signed out.`}
        rows={push.map((device) => <PushRow key={device.id} device={device} />)}
        none={t`No device gets notifications.`}
      />
    </div>
  )
}

interface PartProps {
  /** Target of links, and of the focus once the last row is gone. */
  anchor: string
  title: string
  description: string
  rows: ReactNode[]
  /** In place of the rows if there are none. */
  none?: string
  /** The button below the rows. */
  children?: ReactNode
}

function Part({ anchor, title, description, rows, none, children }: PartProps) {
  const id = useId()
  return (
    <section id={anchor} tabIndex={-1} aria-labelledby={id} className="grid scroll-mt-4 justify-items-start gap-3 outline-none">
      <div>
        <h3 id={id} className="font-medium">
          {title}
        </h3>
        <p className="mt-0.5 text-sm text-pretty text-muted">{description}</p>
      </div>
      {none && rows.length === 0 ? (
        <EmptyNotice>{none}</EmptyNotice>
      ) : (
        <ul className={`${ROWS} w-full`} aria-label={title}>
          {rows}
        </ul>
      )}
      {children}
    </section>
  )
}

const day = (moment: string) => formatDay(dayHere(moment), 'short')

function SessionRow({ session: { id, agent, created_at, used_at, current } }: { session: SessionAccess }) {
  const name = agentText(agent)
  const start = day(created_at)
  const details = current ? t`This device · signed in ${start}` : t`Last used ${{ day: day(used_at) }} · signed in ${start}`
  const action = { verb: t`Sign out`, label: t`Sign out ${name}`, kind: 'session', id, done: t`${name} has been signed out` } as const
  return <Row name={name} icon details={details} action={current ? undefined : action} />
}

function TokenRow({ token: { id, name, scope, collection, expires_at, last_used_at } }: { token: Token }) {
  const over = expires_at !== null && Date.parse(expires_at) <= Date.now()
  const lastDay = expires_at === null ? null : day(expires_at)
  const end = lastDay === null ? t`never expires` : over ? t`expired ${lastDay}` : t`expires ${lastDay}`
  const used = last_used_at ? t`last used ${{ day: day(last_used_at) }}` : t`not used yet`
  const details = [scopeText(scope, collection?.name), end, used].join(' · ')
  const question = { title: t`Revoke “${name}”?`, description: t`Apps that use it lose access.` }
  const action = { verb: t`Revoke`, label: t`Revoke ${name}`, question, kind: 'token', id, done: t`${name} revoked` } as const
  return <Row name={name} details={details} action={action} />
}

function scopeText(scope: TokenScope, collection: string | undefined): string {
  if (scope === 'read') return collection === undefined ? t({ message: 'Read', context: 'permission' }) : t`Read in “${collection}”`
  return collection === undefined ? t({ message: 'Read and write', context: 'permission' }) : t`Read and write in “${collection}”`
}

function CalendarLinkRow({ link: { id, collection, notes, created_at, last_used_at } }: { link: CalendarLinkAccess }) {
  const used = last_used_at ? t`last read ${{ day: day(last_used_at) }}` : t`not read yet`
  const details = [notes ? t`Events and notes` : t`Events`, madeText(created_at), used].join(' · ')
  const question = { title: t`Revoke the calendar link of “${collection}”?`, description: t`Apps that use it get no more updates.` }
  const done = t`Calendar link of ${collection} revoked`
  const action = { verb: t`Revoke`, label: t`Revoke ${{ name: collection }}`, question, kind: 'calendar', id, done } as const
  return <Row name={collection} details={details} action={action} />
}

function madeText(moment: string): string {
  const start = day(moment)
  return t({ message: `made ${start}`, comment: 'The day on which a link was made' })
}

function LinkRow({ link: { collection_id, collection, name, created_at, last_used_at } }: { link: LinkAccess }) {
  const used = last_used_at ? t`last opened ${{ day: day(last_used_at) }}` : t`not opened yet`
  return (
    <li className={ROW}>
      <div className="min-w-0 flex-1 basis-40">
        <p className="truncate font-medium" dir="auto">
          {name ?? collection}
        </p>
        <p className="text-sm text-pretty wrap-anywhere text-muted">{[collection, madeText(created_at), used].join(' · ')}</p>
      </div>
      <ButtonLink size="sm" to={collectionLink('settings', collection_id, '#links')} aria-label={t`Settings of ${collection}`}>
        <Trans>Settings</Trans>
      </ButtonLink>
    </li>
  )
}

function PushRow({ device: { id, agent, created_at, current } }: { device: PushAccess }) {
  const name = agentText(agent)
  const start = day(created_at)
  const details = current ? t`This device · turned on ${start}` : t`Turned on ${start}`
  const done = t`Notifications on ${name} turned off`
  return <Row name={name} icon details={details} action={{ verb: t`Turn off`, label: t`Turn off ${name}`, kind: 'push', id, done }} />
}

interface RevokeAction {
  /** On the button. */
  verb: string
  /** The same with the name, for screen readers. */
  label: string
  /** Asked first, if what is revoked cannot be had back. */
  question?: { title: string; description: string }
  kind: AccessKind
  id: string
  /** Title of the toast. */
  done: string
}

function Row({ name, details, icon, action }: { name: string; details: string; icon?: true; action: RevokeAction | undefined }) {
  return (
    <li className={ROW}>
      {icon && <Icon name="computer" size={22} className="text-(--text-muted)" />}
      <div className="min-w-0 flex-1 basis-40">
        <p className="truncate font-medium">{name}</p>
        <p className="text-sm text-pretty wrap-anywhere text-muted">{details}</p>
      </div>
      {action && <Revoke action={action} />}
    </li>
  )
}

function Revoke({ action: { verb, label, question, kind, id, done } }: { action: RevokeAction }) {
  const revoke = useSetAtom(revokeAccessAtom)
  const addToast = useSetAtom(addToastAtom)
  const button = useRef<HTMLButtonElement>(null)
  const act = useAct()
  const confirm = useConfirm()
  const onRevoke = async () => {
    const sure = !question || (await confirm({ ...question, confirm: verb, danger: true }))
    const goBeside = focusBeside(button.current?.closest('li') ?? null)
    if (!sure || !(await act(() => revoke(kind, id)))) return
    addToast({ title: done, icon: 'check-circle' })
    goBeside()
  }
  return (
    <Button ref={button} size="sm" aria-label={label} onClick={() => void onRevoke()}>
      {verb}
    </Button>
  )
}

function SignOutEverywhere() {
  const revokeAll = useSetAtom(revokeAllAccessAtom)
  const act = useAct()
  const confirm = useConfirm()
  const onRevoke = async () => {
    const sure = await confirm({
      title: t`Sign out everywhere?`,
      description: t`All devices are signed out at once, this one too. Access tokens, calendar links and notifications stop working.`,
      confirm: t`Sign out everywhere`,
      danger: true,
    })
    if (sure) await act(() => revokeAll())
  }
  return (
    <Button onClick={() => void onRevoke()}>
      <Trans>Sign out everywhere</Trans>
    </Button>
  )
}
