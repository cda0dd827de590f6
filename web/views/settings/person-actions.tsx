import { useSetAtom } from 'jotai'
import { may } from '../../../contract/policy.ts'
import { linkPersonAtom, removePersonAtom, undoPersonAtom } from '../../atoms/members.ts'
import { items } from '../../atoms/tagged.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { InviteDialog } from '../../components/members/invite-dialog.tsx'
import { useConfirm } from '../../components/overlays/confirm-dialog.tsx'
import { useAsk } from '../../components/overlays/overlay-outlet.tsx'
import { useAct } from '../../components/overlays/use-act.ts'
import { useOpen } from '../../components/overlays/use-open.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import type { PersonRowProps } from './person-row-props.ts'

const loadMerge = async () => (await import('./merge-dialog.tsx')).MergeDialog
const loadLink = async () => (await import('./link-dialog.tsx')).LinkDialog

export function PersonActions(props: PersonRowProps & { onRename: () => void }) {
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
          aria-label={`Invite ${person.name}`}
        >
          Invite
        </Button>
      )}
      <Menu
        trigger={
          <Button size="sm" variant="ghost" icon="more-horiz" iconOnly>
            {`More for ${person.name}`}
          </Button>
        }
      >
        <MenuItem icon="edit" onSelect={onRename}>
          Rename
        </MenuItem>
        {others.length > 0 && (
          <MenuItem icon="group" onSelect={() => void acts.merge(others)}>
            Merge into…
          </MenuItem>
        )}
        {person.user_id ? (
          <MenuItem icon="link" onSelect={() => void acts.unlink()}>
            Unlink account
          </MenuItem>
        ) : (
          members.length > 0 && (
            <MenuItem icon="link" onSelect={() => void acts.link()}>
              Link to a member…
            </MenuItem>
          )
        )}
        <MenuSeparator />
        <MenuItem icon="delete" danger onSelect={() => void acts.remove()}>
          Remove
        </MenuItem>
      </Menu>
    </div>
  )
}

function usePersonActs({ collection, person, people, members, count }: PersonRowProps) {
  const remove = useSetAtom(removePersonAtom)
  const undo = useSetAtom(undoPersonAtom)
  const link = useSetAtom(linkPersonAtom)
  const addToast = useSetAtom(addToastAtom)
  const act = useAct()
  const open = useOpen()
  const confirm = useConfirm()

  const undoable = (title: string, changeId: string) =>
    addToast({
      title,
      icon: 'check-circle',
      actions: [{ label: 'Undo', onClick: () => void act(() => undo(collection.id, changeId)) }],
    })
  return {
    merge: async (others: typeof people) => {
      const done = await open(loadMerge, { collection, person, others })
      if (done) undoable(`${person.name} merged into ${done.into.name}`, done.changeId)
    },
    link: () => open(loadLink, { collection, person, members, people }),
    unlink: () => act(() => link(collection.id, person.id, null)),
    remove: async () => {
      const tags = count ? `They will no longer be tagged in ${items(count)}` : 'They will no longer be tagged in anything here'
      const sure = await confirm({
        title: `Remove ${person.name}?`,
        description: `${tags}. Photos and posts stay.${person.user_id ? ' So does the member.' : ''}`,
        confirm: 'Remove',
        danger: true,
      })
      if (sure) await act(async () => undoable(`${person.name} removed`, await remove(collection.id, person.id)))
    },
  }
}
