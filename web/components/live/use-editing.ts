import { useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { editingAtom } from '../../atoms/live.ts'

/** Called by an editor while it is open: the others see on the item who is editing it. Null while it edits nothing. */
export function useEditing(itemId: string | null): void {
  const setEditing = useSetAtom(editingAtom)
  useEffect(() => {
    if (itemId === null) return
    setEditing(itemId)
    return () => setEditing((held) => (held === itemId ? null : held))
  }, [setEditing, itemId])
}
