import { guestLink } from '../../lib/guest/link.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import type { usePostActions } from './use-post-actions.ts'

interface ReaderBarProps {
  actions: ReturnType<typeof usePostActions>
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onClose: () => void
}

/** Actions while a post is read. Those that the role forbids are shown with the reason. */
export function ReaderBar({ actions, onPrevious, onNext, onClose }: ReaderBarProps) {
  const remove = async () => {
    if (await actions.remove()) onClose()
  }
  return (
    <div className="flex shrink-0 items-center gap-1 border-b px-2 py-2 sm:px-3">
      <Button
        variant="ghost"
        icon="chevron-left"
        iconOnly
        {...(onPrevious ? { onClick: onPrevious } : { disabledReason: 'This is the first post' })}
      >
        Previous post
      </Button>
      <Button
        variant="ghost"
        icon="chevron-right"
        iconOnly
        {...(onNext ? { onClick: onNext } : { disabledReason: 'This is the last post' })}
      >
        Next post
      </Button>
      <span className="grow" />
      {!guestLink && <Changes actions={actions} onRemove={() => void remove()} />}
      <Button variant="ghost" icon="close" iconOnly onClick={onClose}>
        Close
      </Button>
    </div>
  )
}

function Changes({ actions, onRemove }: Pick<ReaderBarProps, 'actions'> & { onRemove: () => void }) {
  return (
    <>
      <Button size="sm" icon="edit" disabledReason={actions.whyNotEdit} onClick={actions.edit}>
        Edit
      </Button>
      <Menu
        trigger={
          <Button variant="ghost" icon="more-horiz" iconOnly>
            More
          </Button>
        }
      >
        <MenuItem icon="share" disabledReason={actions.whyNotShare} onSelect={actions.share}>
          Share…
        </MenuItem>
        <MenuItem icon="link" onSelect={() => void actions.copyLink()}>
          Copy link
        </MenuItem>
        <MenuItem icon="collections-bookmark" disabledReason={actions.whyNotLink} onSelect={actions.link}>
          Add to another collection…
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon="delete" danger disabledReason={actions.whyNotRemove} onSelect={onRemove}>
          Move to trash
        </MenuItem>
      </Menu>
    </>
  )
}
