import { useEffect, useEffectEvent } from 'react'
import { isCovered, isTyping } from '../../lib/palette/key-owner.ts'

/** Handles Esc and Delete while items are selected, before a panel or a list does. */
export function useSelectionKeys(actions: { clear: () => void; remove: () => void }): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const act = { Escape: actions.clear, Delete: actions.remove }[event.key]
    if (!act || event.defaultPrevented || isTyping(event.target) || isCovered() || 'dragging' in document.documentElement.dataset) return
    event.preventDefault()
    event.stopPropagation()
    act()
  })
  useEffect(() => {
    addEventListener('keydown', onKeyDown, { capture: true })
    return () => removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}
