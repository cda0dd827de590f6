import { useAtomValue, useSetAtom } from 'jotai'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Token } from '../../../contract/tokens.ts'
import { fetchTokensAtom, revokeTokenAtom, tokensAtom } from '../../atoms/account.ts'
import { dateSettingsKeyAtom } from '../../atoms/profile.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { useConfirm } from '../../components/overlays/confirm-dialog.tsx'
import { useAct } from '../../components/overlays/use-act.ts'
import { useOpen } from '../../components/overlays/use-open.ts'
import { ROW, ROWS } from '../../components/settings-section.tsx'
import { focusBeside } from '../../components/site/focus-beside.ts'
import { dayHere } from '../../lib/dates/moments.ts'
import { formatDay } from '../../lib/dates/text.ts'
import { messageOf } from '../../lib/message-of.ts'
import { Button } from '../../ui/button.tsx'
import { Notice, Skeleton } from '../../ui/states.tsx'

const loadToken = async () => (await import('./token-dialog.tsx')).TokenDialog

export function Tokens() {
  const tokens = useAtomValue(tokensAtom)
  const fetchTokens = useSetAtom(fetchTokensAtom)
  const [failure, setFailure] = useState('')
  const open = useOpen()
  const load = useCallback(() => {
    setFailure('')
    fetchTokens().catch((error: unknown) => setFailure(messageOf(error)))
  }, [fetchTokens])
  useEffect(load, [load])
  if (!tokens && failure) {
    return (
      <Notice
        tone="warning"
        action={
          <Button size="sm" onClick={load}>
            Try again
          </Button>
        }
      >
        {failure}
      </Notice>
    )
  }
  if (!tokens) return <Skeleton className="h-24" />
  return (
    <div className="grid justify-items-start gap-4">
      {tokens.length === 0 ? (
        <p className="w-full rounded-lg border border-dashed border-strong px-4 py-5 text-sm text-muted">You have no access tokens.</p>
      ) : (
        <ul className={`${ROWS} w-full`} aria-label="Access tokens">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </ul>
      )}
      <Button icon="add" onClick={() => void open(loadToken, {})}>
        New token
      </Button>
    </div>
  )
}

function TokenRow({ token }: { token: Token }) {
  // Rendered again when the reader changes how dates are written.
  useAtomValue(dateSettingsKeyAtom)
  const revoke = useSetAtom(revokeTokenAtom)
  const addToast = useSetAtom(addToastAtom)
  const row = useRef<HTMLLIElement>(null)
  const act = useAct()
  const confirm = useConfirm()
  const day = (moment: string) => formatDay(dayHere(moment), 'short')
  const over = token.expires_at !== null && Date.parse(token.expires_at) <= Date.now()
  const end = token.expires_at === null ? 'never expires' : `${over ? 'expired' : 'expires'} ${day(token.expires_at)}`
  const onRevoke = async () => {
    const sure = await confirm({
      title: `Revoke “${token.name}”?`,
      description: 'Apps that use it lose access.',
      confirm: 'Revoke',
      danger: true,
    })
    const goBeside = focusBeside(row.current)
    if (!sure || !(await act(() => revoke(token.id)))) return
    addToast({ title: `${token.name} revoked`, icon: 'check-circle' })
    goBeside()
  }
  return (
    <li ref={row} className={ROW}>
      <div className="min-w-0 flex-1 basis-40">
        <p className="truncate font-medium">{token.name}</p>
        <p className="text-sm text-pretty text-muted">
          {token.scope === 'read' ? 'Read' : 'Read and write'} · {end} ·{' '}
          {token.last_used_at ? `last used ${day(token.last_used_at)}` : 'not used yet'}
        </p>
      </div>
      <Button size="sm" aria-label={`Revoke ${token.name}`} onClick={() => void onRevoke()}>
        Revoke
      </Button>
    </li>
  )
}
