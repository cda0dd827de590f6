import { useSetAtom } from 'jotai'
import { say } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import type { Invite } from '../../../contract/invites.ts'
import type { Person } from '../../../contract/people.ts'
import { mayAssign } from '../../../contract/policy.ts'
import { cancelInviteAtom, inviteAtom } from '../../atoms/members.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { focusBeside } from '../../components/focus-beside.ts'
import { invitationHint } from '../../components/members/invitation-hint.ts'
import { useAct } from '../../components/overlays/use-act.ts'
import { ROLE_NAMES } from '../../components/roles.ts'
import { ROW, ROWS, SettingsSection } from '../../components/settings-section.tsx'
import { formatTimeLeft } from '../../lib/dates/relative-time.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyNotice } from '../../ui/empty-notice.tsx'

interface InvitesSectionProps {
  collection: Collection
  invites: Invite[]
  people: Person[]
}

export function InvitesSection({ collection, invites, people }: InvitesSectionProps) {
  return (
    <SettingsSection title={t`Invitations`} description={t`Sent, not answered yet.`}>
      {invites.length === 0 ? (
        <EmptyNotice>
          <Trans>No open invitations.</Trans>
        </EmptyNotice>
      ) : (
        <ul className={ROWS}>
          {invites.map((invite) => (
            <SentInvite key={invite.id} collection={collection} invite={invite} person={people.find(({ id }) => id === invite.person_id)} />
          ))}
        </ul>
      )}
    </SettingsSection>
  )
}

function SentInvite({ collection, invite, person }: { collection: Collection; invite: Invite; person: Person | undefined }) {
  const { id, email, role, expires_at, person_id } = invite
  const resend = useSetAtom(inviteAtom)
  const cancel = useSetAtom(cancelInviteAtom)
  const addToast = useSetAtom(addToastAtom)
  const act = useAct()
  const refused = mayAssign(collection.role, role) ? undefined : t`Only the owner can manage invitations of admins`
  const roleName = say(ROLE_NAMES[role])
  const expires = new Date(expires_at)
  const over = expires.getTime() < Date.now()

  const sendAgain = () =>
    act(async () => {
      const mailed = await resend(collection.id, { email, role, ...(person_id ? { personId: person_id } : {}) })
      addToast({ title: t`${email} has been invited again`, description: invitationHint(mailed), color: 'success', icon: 'mail' })
    })
  const onCancel = async (row: Element | null) => {
    const goBeside = focusBeside(row)
    if (await act(() => cancel(collection.id, id))) goBeside()
  }
  return (
    <li className={ROW}>
      <Avatar alt={email} size="lg" icon="mail" decorative />
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium">{email}</p>
        <p className="text-sm text-muted">
          {person ? t`${{ role: roleName }}, as ${{ name: person.name }}` : roleName}
          {' · '}
          {over ? (
            <Trans>has expired</Trans>
          ) : (
            <Trans>
              open for <time dateTime={expires_at}>{formatTimeLeft(expires.getTime(), Date.now())}</time>
            </Trans>
          )}
        </p>
      </div>
      <div className="flex gap-1">
        <Button size="sm" variant="ghost" disabledReason={refused} onClick={() => void sendAgain()}>
          <Trans>
            Send again
            <span className="sr-only"> the invitation to {email}</span>
          </Trans>
        </Button>
        <Button
          size="sm"
          variant="ghost"
          disabledReason={refused}
          onClick={({ currentTarget }) => void onCancel(currentTarget.closest('li'))}
        >
          <Trans>
            Cancel
            <span className="sr-only"> the invitation to {email}</span>
          </Trans>
        </Button>
      </div>
    </li>
  )
}
