import { useEffect } from 'react'
import { Trans } from '#say/react'
import type { PostType } from '../../../contract/posts.ts'
import { fetchAhead } from '../../lib/load-failure.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { useImport } from '../import/launch.ts'
import { useOpen } from '../overlays/use-open.ts'
import { loadNewPost, POST_PARTS } from '../posts/post-dialogs.ts'
import { useAddFiles } from '../uploads/use-add-files.ts'
import { useShortcut } from '../use-shortcut.ts'

/** The primary button of a collection's views: files, an event or a note. It floats above the bottom bar of small screens. Readers do not see it. */
export function NewMenu() {
  const { allowed, choose } = useAddFiles()
  const open = useOpen()
  const startImport = useImport()
  // Loaded ahead, in case the connection is lost.
  useEffect(() => {
    for (const part of POST_PARTS) fetchAhead(part)
  }, [])
  const write = (type: PostType) => void open(loadNewPost, { type })
  useShortcut('new', () => write('note'), allowed)
  useShortcut('upload', () => void choose(), allowed)
  if (!allowed) return null
  return (
    <Menu
      trigger={
        <Button
          variant="primary"
          icon="add"
          data-new-button=""
          className="max-lg:fixed max-lg:end-4 max-lg:bottom-[calc(4.5rem+env(safe-area-inset-bottom)+var(--bulk-bar,0px))] max-lg:z-31 max-lg:min-h-14 max-lg:rounded-2xl max-lg:px-5 max-lg:shadow-raised"
        >
          <Trans comment="Opens a menu of what can be added: photos, an event, a note">New</Trans>
        </Button>
      }
    >
      <MenuItem icon="upload" onSelect={() => void choose()}>
        <Trans>Photos or files</Trans>
      </MenuItem>
      <MenuItem icon="archive" onSelect={() => startImport()}>
        <Trans>Import…</Trans>
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon="event" onSelect={() => write('event')}>
        <Trans context="noun">Event</Trans>
      </MenuItem>
      <MenuItem icon="sticky-note-2" onSelect={() => write('note')}>
        <Trans context="noun">Note</Trans>
      </MenuItem>
    </Menu>
  )
}
