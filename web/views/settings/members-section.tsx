import { useAtomValue, useSetAtom } from 'jotai'
import { compareNames } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import type { Member } from '../../../contract/members.ts'
import { type InviteRole, may, rank } from '../../../contract/policy.ts'
import { changeRoleAtom, removeMemberAtom, undoRemovedItemsAtom } from '../../atoms/members.ts'
import { withUndoOfServerAtom } from '../../atoms/outbox.ts'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import { focusBeside } from '../../components/focus-beside.ts'
import { InviteDialog } from '../../components/members/invite-dialog.tsx'
import { MemberList } from '../../components/members/list.tsx'
import { useAsk } from '../../components/overlays/overlay-outlet.tsx'
import { useAct } from '../../components/overlays/use-act.ts'
import { SettingsSection } from '../../components/settings-section.tsx'
import { Button } from '../../ui/button.tsx'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'
import { RolesTable } from './roles-table.tsx'

export function MembersSection({ collection, members }: { collection: Collection; members: Member[] }) {
  const { id, name, role: myRole } = collection
  const myId = useAtomValue(sessionUserIdAtom)
  const changeRole = useSetAtom(changeRoleAtom)
  const removeMember = useSetAtom(removeMemberAtom)
  const undoRemovedItems = useSetAtom(undoRemovedItemsAtom)
  const withUndo = useSetAtom(withUndoOfServerAtom)
  const act = useAct()
  const ask = useAsk()
  const sorted = members.toSorted((a, b) => rank(b.role) - rank(a.role) || compareNames(a.name, b.name))

  const remove = async (member: Member, row: Element | null) => {
    const items = await ask(RemoveMemberDialog, { member: member.name, collection: name })
    if (!items) return
    const goBeside = focusBeside(row)
    await act(async () => {
      const changeId = await removeMember(id, member.user_id, items)
      goBeside()
      if (!changeId) return
      withUndo({
        title: t`${member.name} removed, with what they added`,
        description: t`Undo brings the items back. ${member.name} stays removed.`,
        icon: 'remove',
        undo: () => undoRemovedItems(id, changeId),
      })
    })
  }
  const change = (member: Member, role: InviteRole) => changeRole(id, member.user_id, role)
  const mayInvite = may(myRole, 'members.manage')

  return (
    <SettingsSection
      title={t`Members`}
      description={mayInvite ? t`All members and their roles.` : t`All members. Admins and the owner can invite more.`}
      action={
        mayInvite && (
          <Button variant="primary" icon="person-add" onClick={() => void ask(InviteDialog, { collection })}>
            <Trans>Invite someone</Trans>
          </Button>
        )
      }
    >
      <MemberList members={sorted} myId={myId} myRole={myRole} onChangeRole={change} onRemove={(member, row) => void remove(member, row)} />
      <RolesTable />
    </SettingsSection>
  )
}
