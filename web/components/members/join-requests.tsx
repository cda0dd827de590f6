import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { say } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import type { JoinRequest } from '../../../contract/join-requests.ts'
import { mayAssign } from '../../../contract/policy.ts'
import { acceptJoinRequestAtom, declineJoinRequestAtom, fetchJoinRequestsAtom, joinRequestsAtom } from '../../atoms/join-requests.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { dayHere, today } from '../../lib/dates/moments.ts'
import { formatDate } from '../../lib/dates/text.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { FailedNotice, Skeleton } from '../../ui/states.tsx'
import { focusBeside } from '../focus-beside.ts'
import { useConfirm } from '../overlays/confirm-dialog.tsx'
import { useAct } from '../overlays/use-act.ts'
import { ROLE_NAMES } from '../roles.ts'
import { ROW, ROWS } from '../settings-section.tsx'

/** People who ask to become members of the collection, with the buttons that answer them. */
export function JoinRequests({ collection }: { collection: Collection }) {
  const { id, join_requests } = collection
  const fetchRequests = useSetAtom(fetchJoinRequestsAtom)
  const { list = null, error = null } = useAtomValue(joinRequestsAtom)[id] ?? {}
  // The count of the card may be newer than the list.
  useEffect(() => void (join_requests && fetchRequests(id)), [fetchRequests, id, join_requests])
  if (!list) return error === null ? <Skeleton className="h-16" /> : <FailedNotice message={error} onRetry={() => void fetchRequests(id)} />
  return (
    <ul className={ROWS} aria-label={t`Requests to join ${collection.name}`}>
      {list.map((request) => (
        <RequestRow key={request.id} request={request} collection={collection} />
      ))}
    </ul>
  )
}

function RequestRow({ request, collection }: { request: JoinRequest; collection: Collection }) {
  const { name, email, role, created_at } = request
  const [busy, setBusy] = useState<'accept' | 'decline' | null>(null)
  const accept = useSetAtom(acceptJoinRequestAtom)
  const decline = useSetAtom(declineJoinRequestAtom)
  const addToast = useSetAtom(addToastAtom)
  const confirm = useConfirm()
  const act = useAct()
  // Admins cannot make others admins.
  const granted = mayAssign(collection.role, role) ? role : 'write'
  const row = useRef<HTMLLIElement>(null)
  const run = async (kind: 'accept' | 'decline', action: () => Promise<void>, title: string) => {
    const goBeside = focusBeside(row.current)
    setBusy(kind)
    if (await act(action)) {
      addToast({ title, icon: kind === 'accept' ? 'person-add' : 'check' })
      goBeside()
    }
    setBusy(null)
  }
  const letIn = () => run('accept', () => accept(request, granted), t`${name} is now a member of “${collection.name}”`)
  const refuse = async () => {
    const sure = await confirm({
      title: t`Decline ${name}’s request?`,
      description: t`They cannot ask again with a link. You can invite them later.`,
      confirm: t`Decline`,
    })
    if (sure) await run('decline', () => decline(request), t`You declined ${name}’s request`)
  }
  return (
    <li ref={row} className={ROW}>
      <Avatar alt={name} size="lg" decorative />
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium" dir="auto">
          {name}
        </p>
        <p className="text-sm break-words text-muted">{email}</p>
        <p className="text-sm text-muted">
          {say(ROLE_NAMES[role])} · <Trans>asked on {formatDate(dayHere(created_at), today().slice(0, 4))}</Trans>
        </p>
      </div>
      <div className="flex gap-1">
        <Button
          size="sm"
          variant="primary"
          loading={busy === 'accept'}
          onClick={() => void letIn()}
          aria-label={granted === role ? t`Accept ${name}` : t`Accept as writer ${name}`}
        >
          {granted === role ? t`Accept` : t`Accept as writer`}
        </Button>
        <Button size="sm" variant="ghost" loading={busy === 'decline'} onClick={() => void refuse()} aria-label={t`Decline ${name}`}>
          <Trans>Decline</Trans>
        </Button>
      </div>
    </li>
  )
}
