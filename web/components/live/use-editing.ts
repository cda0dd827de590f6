import { useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { editingAtom } from '../../atoms/live.ts'

/** Called by an editor while it is open, so that others see who is editing the item. Null when nothing is being edited. */
export function useEditing(itemId: string | null): void {
  const setEditing = useSetAtom(editingAtom)
  useEffect(() => {
    if (itemId === null) return
    setEditing(itemId)
    return () => setEditing((current) => (current === itemId ? null : current))
  }, [setEditing, itemId])
}
