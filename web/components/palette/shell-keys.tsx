import { useAtomValue, useStore } from 'jotai'
import { type ComponentType, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { narrowingQueryAtom } from '../../atoms/filters.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { selectedCollectionIdAtom } from '../../atoms/selected-collection.ts'
import { collectionLink, PATHS } from '../../lib/links.ts'
import { registerShortcut } from '../../lib/shortcuts.ts'
import { VIEWS } from '../../view-table.ts'
import { useAsk } from '../overlays/overlay-outlet.tsx'
import { useAct } from '../overlays/use-act.ts'
import { useShortcut } from '../use-shortcut.ts'

/** Runs the shell's actions for the keys of atoms/global-keys.ts. Renders nothing. */
export function ShellKeys() {
  useGoing()
  const ask = useAsk()
  const act = useAct()
  const opening = useRef(false)
  // A second request while it is loading or open does nothing.
  const show = (load: () => Promise<ComponentType<OverlayProps<void>>>) => {
    if (opening.current) return
    opening.current = true
    void act(async () => ask(await load(), {})).finally(() => {
      opening.current = false
    })
  }
  useShortcut('palette', () => show(async () => (await import('./command-palette.tsx')).CommandPalette))
  useShortcut('help', () => show(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog))
  return null
}

function useGoing() {
  const navigate = useNavigate()
  const store = useStore()
  const id = useAtomValue(selectedCollectionIdAtom)
  useShortcut('go-collections', () => void navigate(PATHS.collections))
  useShortcut('go-feed', () => void navigate(PATHS.feed))
  useEffect(() => {
    if (!id) return
    const going = VIEWS.map(({ view }) =>
      registerShortcut(`go-${view}`, () => void navigate(collectionLink(view, id, store.get(narrowingQueryAtom)))),
    )
    return () => {
      for (const end of going) end()
    }
  }, [id, navigate, store])
}
