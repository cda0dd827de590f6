import { useSetAtom } from 'jotai'
import type { RefObject } from 'react'
import { sentences } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import type { Member } from '../../../contract/members.ts'
import type { Person } from '../../../contract/people.ts'
import { may } from '../../../contract/policy.ts'
import { linkPersonAtom, removePersonAtom, undoPersonAtom } from '../../atoms/members.ts'
import { withUndoOfServerAtom } from '../../atoms/outbox.ts'
import { focusBeside } from '../../components/focus-beside.ts'
import { InviteDialog } from '../../components/members/invite-dialog.tsx'
import { useConfirm } from '../../components/overlays/confirm-dialog.tsx'
import { useAsk } from '../../components/overlays/overlay-outlet.tsx'
import { useAct } from '../../components/overlays/use-act.ts'
import { useOpen } from '../../components/overlays/use-open.ts'
import { itemCount } from '../../lib/bulk/words.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'

const loadMerge = async () => (await import('./merge-dialog.tsx')).MergeDialog
const loadLink = async () => (await import('./link-dialog.tsx')).LinkDialog

export interface PersonRowProps {
  collection: Collection
  person: Person
  /** All people in the list, and all members. */
  people: Person[]
  members: Member[]
  /** Number of items they are tagged in; null while unknown. */
  count: number | null
  invited: boolean
}

interface PersonActionsProps extends PersonRowProps {
  row: RefObject<HTMLLIElement | null>
  onRename: () => void
}

export function PersonActions(props: PersonActionsProps) {
  const { collection, person, people, members, invited, onRename } = props
  const acts = usePersonActs(props)
  const ask = useAsk()
  if (!may(collection.role, 'people.edit')) return null
  const others = people.filter(({ id }) => id !== person.id)
  return (
    <div className="flex items-center gap-1">
      {!person.user_id && !invited && may(collection.role, 'members.manage') && (
        <Button
          size="sm"
          icon="person-add"
          onClick={() => void ask(InviteDialog, { collection, person })}
          aria-label={t`Invite ${person.name}`}
        >
          <Trans>Invite</Trans>
        </Button>
      )}
      <Menu
        trigger={
          <Button size="sm" variant="ghost" icon="more-horiz" iconOnly>
            {t`More for ${{ name: person.name }}`}
          </Button>
        }
      >
        <MenuItem icon="edit" onSelect={onRename}>
          <Trans>Rename</Trans>
        </MenuItem>
        {others.length > 0 && (
          <MenuItem icon="group" onSelect={() => void acts.merge(others)}>
            <Trans>Merge into…</Trans>
          </MenuItem>
        )}
        {person.user_id ? (
          <MenuItem icon="link" onSelect={() => void acts.unlink()}>
            <Trans>Unlink account</Trans>
          </MenuItem>
        ) : (
          members.length > 0 && (
            <MenuItem icon="link" onSelect={() => void acts.link()}>
              <Trans>Link to a member…</Trans>
            </MenuItem>
          )
        )}
        <MenuSeparator />
        <MenuItem icon="delete" danger onSelect={() => void acts.remove()}>
          <Trans>Remove</Trans>
        </MenuItem>
      </Menu>
    </div>
  )
}

function usePersonActs({ collection, person, people, members, count, row }: PersonActionsProps) {
  const remove = useSetAtom(removePersonAtom)
  const undo = useSetAtom(undoPersonAtom)
  const link = useSetAtom(linkPersonAtom)
  const withUndo = useSetAtom(withUndoOfServerAtom)
  const act = useAct()
  const open = useOpen()
  const confirm = useConfirm()

  const undoable = (title: string, changeId: string) => withUndo({ title, icon: 'check-circle', undo: () => undo(collection.id, changeId) })
  return {
    merge: async (others: typeof people) => {
      const goBeside = focusBeside(row.current)
      const done = await open(loadMerge, { collection, person, others })
      if (!done) return
      undoable(t`${person.name} merged into ${done.into.name}`, done.changeId)
      goBeside()
    },
    link: () => open(loadLink, { collection, person, members, people }),
    unlink: () => act(() => link(collection.id, person.id, null)),
    remove: async () => {
      const tags = count
        ? t`They will no longer be tagged in ${{ items: itemCount(count) }}.`
        : t`They will no longer be tagged in anything here.`
      const stays = person.user_id ? t`Photos and posts stay. So does the member.` : t`Photos and posts stay.`
      const sure = await confirm({
        title: t`Remove ${person.name}?`,
        description: sentences([tags, stays]),
        confirm: t`Remove`,
        danger: true,
      })
      const goBeside = focusBeside(row.current)
      if (sure && (await act(async () => undoable(t`${person.name} removed`, await remove(collection.id, person.id))))) goBeside()
    },
  }
}
