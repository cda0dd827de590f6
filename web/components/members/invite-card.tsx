import { useSetAtom } from 'jotai'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { say } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import type { InvitedCollection } from '../../../contract/collections.ts'
import { withFullStop } from '../../../contract/full-stop.ts'
import { acceptInviteAtom, declineInviteAtom } from '../../atoms/invitations.ts'
import { addErrorToastAtom } from '../../atoms/toasts.ts'
import { ActionError } from '../../lib/action-error.ts'
import { ApiError } from '../../lib/api.ts'
import { formatTimeLeft } from '../../lib/dates/relative-time.ts'
import { collectionLink } from '../../lib/links.ts'
import { Button } from '../../ui/button.tsx'
import { CollectionBadge, primaryOf } from '../collection-icon.tsx'
import { focusBeside } from '../focus-beside.ts'
import { useConfirm } from '../overlays/confirm-dialog.tsx'
import { ROLE_NAMES, ROLE_PROMISES } from '../roles.ts'
import { useSendVerification } from '../session/verify-notice.tsx'

export function InvitationCard({ invitation }: { invitation: InvitedCollection }) {
  const { name, icon, theme, role, invited_by_name, expires_at } = invitation
  const { row, busy, accept, decline } = useAnswer(invitation)
  return (
    <li ref={row} data-primary={primaryOf(theme)} className="flex flex-col gap-4 rounded-xl border border-accent bg-accent-faint p-5">
      <div className="flex items-start gap-4">
        <CollectionBadge icon={icon} theme={theme} size={44} round raised />
        <div className="min-w-0 pt-0.5">
          <h3 className="font-semibold break-words">{name}</h3>
          <p className="text-sm text-muted">
            <Trans>{invited_by_name} invites you</Trans>
          </p>
        </div>
      </div>
      <p className="text-sm text-muted">
        <span className="font-medium text-(--text)">{withFullStop(say(ROLE_NAMES[role]))}</span> {say(ROLE_PROMISES[role])}{' '}
        <Trans comment="How long the invitation can be accepted: 3 days">
          Open for <time dateTime={expires_at}>{formatTimeLeft(Date.parse(expires_at), Date.now())}</time>.
        </Trans>
      </p>
      <div className="mt-auto flex flex-wrap gap-2">
        <Button variant="primary" loading={busy === 'accept'} onClick={accept} aria-label={t`Accept the invitation to ${name}`}>
          <Trans>Accept</Trans>
        </Button>
        <Button variant="ghost" loading={busy === 'decline'} onClick={decline} aria-label={t`Decline the invitation to ${name}`}>
          <Trans>Decline</Trans>
        </Button>
      </div>
    </li>
  )
}

function useAnswer({ id, name }: InvitedCollection) {
  const [busy, setBusy] = useState<'accept' | 'decline' | null>(null)
  const acceptInvite = useSetAtom(acceptInviteAtom)
  const declineInvite = useSetAtom(declineInviteAtom)
  const explain = useExplain()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const row = useRef<HTMLLIElement>(null)

  const run = async (kind: 'accept' | 'decline', action: () => Promise<void>) => {
    setBusy(kind)
    await action().catch(explain)
    setBusy(null)
  }
  const accept = async () => {
    await acceptInvite(id)
    await navigate(collectionLink('media', id))
  }
  const decline = async () => {
    const sure = await confirm({
      title: t`Decline the invitation to “${name}”?`,
      description: t`To join later, you need a new invitation.`,
      confirm: t`Decline`,
    })
    const goBeside = focusBeside(row.current)
    if (sure) await run('decline', () => declineInvite(id).then(goBeside))
  }
  return { row, busy, accept: () => void run('accept', accept), decline: () => void decline() }
}

/** Explains the reason, and offers the confirmation link again to users whose address is not confirmed. */
function useExplain() {
  const addError = useSetAtom(addErrorToastAtom)
  const { send, verified } = useSendVerification()
  return (error: unknown) => {
    if (!(error instanceof ActionError)) throw error
    const unconfirmed = !verified && error.cause instanceof ApiError && error.cause.code === 'forbidden'
    addError(error.message, error.detail, unconfirmed ? [{ label: t`Resend link`, onClick: send }] : [])
  }
}
