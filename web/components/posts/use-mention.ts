import type { Editor, EditorEvents } from '@tiptap/core'
import type { EditorState } from '@tiptap/pm/state'
import { useEffect, useRef, useState } from 'react'
import { mentionIn } from '../../lib/posts/mention.ts'

/** A name being typed, from its @ up to the cursor. */
export interface Mention {
  from: number
  to: number
  name: string
}

/** The mention at the cursor while it is being typed. Moving the cursor to an older @ opens nothing, and a dismissed one stays closed. */
export function useMention(editor: Editor): { mention: Mention | null; dismiss: () => void } {
  const [mention, setMention] = useState<Mention | null>(null)
  const dismissed = useRef<number | null>(null)
  useEffect(() => {
    const look = ({ transaction }: EditorEvents['transaction']) => {
      const found = mentionAt(editor.state)
      if (found?.from !== dismissed.current) dismissed.current = null
      const open = found && dismissed.current === null ? found : null
      setMention((current) => (transaction.docChanged || current?.from === open?.from ? open : null))
    }
    const close = () => setMention(null)
    editor.on('transaction', look)
    editor.on('blur', close)
    return () => {
      editor.off('transaction', look)
      editor.off('blur', close)
    }
  }, [editor])
  const dismiss = () => {
    dismissed.current = mention?.from ?? null
    setMention(null)
  }
  return { mention, dismiss }
}

export function mentionAt({ selection }: EditorState): Mention | null {
  const { $head, empty } = selection
  if (!empty || !$head.parent.isTextblock) return null
  // A line break counts as one character, as in positions.
  const name = mentionIn($head.parent.textBetween(0, $head.parentOffset, '\n', '\n'))
  return name === null ? null : { from: $head.pos - name.length - 1, to: $head.pos, name }
}
