import { useEffect, useEffectEvent } from 'react'
import { registerShortcut, type ShortcutId } from '../lib/shortcuts.ts'

/** Runs a handler for a shortcut of lib/shortcuts.ts while the component is mounted. */
export function useShortcut(id: ShortcutId, handler: () => void, enabled = true): void {
  const onShortcut = useEffectEvent(handler)
  useEffect(() => (enabled ? registerShortcut(id, () => onShortcut()) : undefined), [id, enabled])
}
