import { useEffect, useRef } from 'react'
import { offer, type ShortcutId } from '../lib/shortcuts.ts'

/** Does what a shortcut of lib/shortcuts.ts asks for, as long as the component is there. */
export function useShortcut(id: ShortcutId, handler: () => void, enabled = true): void {
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  useEffect(() => (enabled ? offer(id, () => latest.current()) : undefined), [id, enabled])
}
