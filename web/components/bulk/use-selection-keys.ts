import { useEffect, useRef } from 'react'
import { isCovered, isTyping } from '../../lib/palette/key-owner.ts'

/** Handles Esc and Delete while items are selected, before a panel or a list does. */
export function useSelectionKeys(actions: { clear: () => void; remove: () => void }): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const act = { Escape: latest.current.clear, Delete: latest.current.remove }[event.key]
      if (!act || event.defaultPrevented || isTyping(event.target) || isCovered() || 'dragging' in document.documentElement.dataset) return
      event.preventDefault()
      event.stopPropagation()
      act()
    }
    addEventListener('keydown', onKeyDown, { capture: true })
    return () => removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}
