import { t } from '#say'
import { Trans } from '#say/react'
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
        {...(onPrevious ? { onClick: onPrevious } : { disabledReason: t`This is the first post` })}
      >
        <Trans>Previous post</Trans>
      </Button>
      <Button
        variant="ghost"
        icon="chevron-right"
        iconOnly
        {...(onNext ? { onClick: onNext } : { disabledReason: t`This is the last post` })}
      >
        <Trans>Next post</Trans>
      </Button>
      <span className="grow" />
      {!guestLink && <Changes actions={actions} onRemove={() => void remove()} />}
      <Button variant="ghost" icon="close" iconOnly onClick={onClose}>
        <Trans>Close</Trans>
      </Button>
    </div>
  )
}

function Changes({ actions, onRemove }: Pick<ReaderBarProps, 'actions'> & { onRemove: () => void }) {
  return (
    <>
      <Button size="sm" icon="edit" disabledReason={actions.whyNotEdit} onClick={actions.edit}>
        <Trans>Edit</Trans>
      </Button>
      <Menu
        trigger={
          <Button variant="ghost" icon="more-horiz" iconOnly>
            <Trans>More</Trans>
          </Button>
        }
      >
        <MenuItem icon="share" disabledReason={actions.whyNotShare} onSelect={actions.share}>
          <Trans context="verb">Share…</Trans>
        </MenuItem>
        <MenuItem icon="link" onSelect={() => void actions.copyLink()}>
          <Trans>Copy link</Trans>
        </MenuItem>
        <MenuItem icon="collections-bookmark" disabledReason={actions.whyNotLink} onSelect={actions.link}>
          <Trans>Add to another collection…</Trans>
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon="delete" danger disabledReason={actions.whyNotRemove} onSelect={onRemove}>
          <Trans>Move to trash</Trans>
        </MenuItem>
      </Menu>
    </>
  )
}
