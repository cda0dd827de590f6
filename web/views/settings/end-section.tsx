import { useSetAtom } from 'jotai'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import type { Member } from '../../../contract/members.ts'
import { may } from '../../../contract/policy.ts'
import { deleteCollectionAtom, transferCollectionAtom } from '../../atoms/change-collections.ts'
import { leaveCollectionAtom } from '../../atoms/invitations.ts'
import { fetchCircleAtom } from '../../atoms/members.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { focusBeside } from '../../components/focus-beside.ts'
import { useConfirm } from '../../components/overlays/confirm-dialog.tsx'
import { useAct } from '../../components/overlays/use-act.ts'
import { ROW, ROWS, SettingsSection } from '../../components/settings-section.tsx'
import { PATHS } from '../../lib/links.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'

export function EndSection({ collection, members }: { collection: Collection; members: Member[] }) {
  const owner = collection.role === 'owner'
  return (
    <SettingsSection
      title={owner ? t`Ownership` : t({ message: 'Leave', context: 'verb' })}
      description={owner && t`Actions that are hard to undo.`}
    >
      <ul className={ROWS}>
        {owner && <Transfer collection={collection} others={members.filter(({ role }) => role !== 'owner')} />}
        <Leave collection={collection} />
        {may(collection.role, 'collection.delete') && <Delete collection={collection} />}
      </ul>
    </SettingsSection>
  )
}

function Row({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li className={`${ROW} justify-between`}>
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">{title}</p>
        <p className="text-sm text-pretty text-muted">{text}</p>
      </div>
      {children}
    </li>
  )
}

function Transfer({ collection, others }: { collection: Collection; others: Member[] }) {
  const [chosen, setChosen] = useState('')
  const transfer = useSetAtom(transferCollectionAtom)
  const fetchCircle = useSetAtom(fetchCircleAtom)
  const act = useAct()
  const confirm = useConfirm()
  const member = others.find(({ user_id }) => user_id === chosen)
  const onTransfer = async (row: Element | null) => {
    if (!member) return
    const sure = await confirm({
      title: t`Transfer “${{ collection: collection.name }}” to ${{ member: member.name }}?`,
      description: t`They become the owner and you become an admin. Only they can give it back.`,
      confirm: t({ message: 'Transfer', context: 'verb' }),
      danger: true,
    })
    const goBeside = focusBeside(row)
    if (!sure || !(await act(() => transfer(collection.id, member.user_id)))) return
    goBeside()
    await fetchCircle(collection.id, 'admin')
  }
  const reason = others.length === 0 ? t`There are no other members` : member ? undefined : t`Choose a member first`
  return (
    <Row title={t({ message: 'Transfer', context: 'verb' })} text={t`Make another member the owner. You stay in it as an admin.`}>
      <div className="flex flex-wrap gap-2">
        {others.length > 0 && (
          <Select
            aria-label={t`New owner`}
            className="w-48"
            value={chosen}
            onValueChange={setChosen}
            options={[{ value: '', label: t`Choose a member` }, ...others.map(({ user_id, name }) => ({ value: user_id, label: name }))]}
          />
        )}
        <Button size="field" disabledReason={reason} onClick={({ currentTarget }) => void onTransfer(currentTarget.closest('li'))}>
          <Trans>Transfer…</Trans>
        </Button>
      </div>
    </Row>
  )
}

function Leave({ collection }: { collection: Collection }) {
  const leave = useSetAtom(leaveCollectionAtom)
  const act = useAct()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const onLeave = async () => {
    const sure = await confirm({
      title: t`Leave “${collection.name}”?`,
      description: t`You will no longer see it. Items that you added stay, under your name.`,
      confirm: t({ message: 'Leave', context: 'verb' }),
      danger: true,
    })
    if (sure && (await act(() => leave(collection.id)))) await navigate(PATHS.collections)
  }
  const reason = may(collection.role, 'collection.leave') ? undefined : t`Transfer ownership first`
  return (
    <Row title={t`Leave the collection`} text={t`The collection stays for its other members.`}>
      <Button disabledReason={reason} onClick={() => void onLeave()}>
        <Trans>Leave…</Trans>
      </Button>
    </Row>
  )
}

function Delete({ collection }: { collection: Collection }) {
  const remove = useSetAtom(deleteCollectionAtom)
  const addToast = useSetAtom(addToastAtom)
  const act = useAct()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const onDelete = async () => {
    const sure = await confirm({
      title: t`Delete “${collection.name}”?`,
      description: t`It is deleted for all members and cannot be restored. Photos and posts stay with the people who added them.`,
      confirm: t`Delete collection`,
      danger: true,
      typeToConfirm: collection.name,
    })
    if (!sure || !(await act(() => remove(collection.id)))) return
    addToast({ title: t`“${collection.name}” deleted`, icon: 'delete' })
    await navigate(PATHS.collections)
  }
  return (
    <Row title={t`Delete the collection`} text={t`For all members. This cannot be undone.`}>
      <Button variant="danger" onClick={() => void onDelete()}>
        <Trans>Delete…</Trans>
      </Button>
    </Row>
  )
}
