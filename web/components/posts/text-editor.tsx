import { Editor } from '@tiptap/core'
import { TextSelection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { cleanPasted } from '../../lib/posts/pasted-html.ts'
import type { ControlProps } from '../../ui/field.tsx'
import { RICH_TEXT } from '../rich-text.tsx'
import './text-editor.css'
import { LinkRow } from './link-row.tsx'
import { textExtensions } from './text-extensions.ts'
import { FRAME, TEXT_AREA, type TextFieldProps } from './text-frame.ts'
import { TextMentions } from './text-mentions.tsx'
import { TextToolbar } from './text-toolbar.tsx'

/** Text with the formatting of the allow-list. `value` is the initial text; a new `key` replaces it. */
export function TextEditor({ control, label, value, placeholder, onChange, onTag }: TextFieldProps) {
  const host = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor | null>(null)
  const [linking, setLinking] = useState(false)
  const onUpdate = useEffectEvent(onChange)
  // biome-ignore lint/correctness/useExhaustiveDependencies: created once; later initial values are ignored
  useEffect(() => {
    const made = new Editor({
      element: host.current,
      injectCSS: false,
      extensions: textExtensions(placeholder, () => setLinking(true)),
      content: value,
      editorProps: {
        attributes: {
          class: `text-editor ${TEXT_AREA} ${RICH_TEXT}`,
          role: 'textbox',
          dir: 'auto',
          'aria-multiline': 'true',
          'aria-label': label,
        },
        transformPastedHTML: cleanPasted,
        handleDOMEvents: { keydown: selectBeforeShortcut },
        // Files belong to the post, not to its text.
        handlePaste: (_view, { clipboardData }) => Boolean(clipboardData?.files.length) && !clipboardData?.getData('text/html'),
        handleDrop: (_view, { dataTransfer }) => Boolean(dataTransfer?.files.length),
      },
      onUpdate: () => onUpdate(made.isEmpty ? '' : made.getHTML()),
    })
    setEditor(made)
    return () => made.destroy()
  }, [])
  useDescription(editor, control)
  return (
    <div className="relative">
      <div className={FRAME} data-invalid={control['aria-invalid']}>
        <TextToolbar editor={editor} linking={linking} onLink={() => setLinking(!linking)} />
        {editor && linking && <LinkRow editor={editor} onClose={() => setLinking(false)} />}
        {/* A click below the last line continues there. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the editor inside handles the keys */}
        <div ref={host} className="min-h-0 grow cursor-text" onMouseDown={(event) => focusEnd(event, editor)} />
      </div>
      {editor && onTag && <TextMentions editor={editor} onTag={onTag} />}
    </div>
  )
}

function focusEnd(event: React.MouseEvent, editor: Editor | null) {
  if (event.target !== event.currentTarget) return
  event.preventDefault()
  editor?.commands.focus('end')
}

/** ProseMirror owns its element, so hint and error are set on it directly. */
function useDescription(editor: Editor | null, control: ControlProps) {
  const { id, 'aria-describedby': described, 'aria-invalid': invalid } = control
  useEffect(() => {
    const element = editor?.view.dom
    if (!element) return
    element.id = id
    for (const [name, text] of [
      ['aria-describedby', described],
      ['aria-invalid', invalid && 'true'],
    ] as const) {
      if (text) element.setAttribute(name, text)
      else element.removeAttribute(name)
    }
  }, [editor, id, described, invalid])
}

/**
 * Syncs the selection before a shortcut acts on it. The browser reports a changed selection only in a later task, so a shortcut pressed right after
 * Shift and an arrow would miss the last step.
 */
function selectBeforeShortcut(view: EditorView, event: KeyboardEvent): void {
  if (!(event.ctrlKey || event.metaKey) || event.isComposing || view.composing) return
  const shown = view.dom.ownerDocument.getSelection()
  const { selection, doc, tr } = view.state
  if (!(selection instanceof TextSelection) || !shown?.anchorNode || !shown.focusNode) return
  if (!view.dom.contains(shown.anchorNode) || !view.dom.contains(shown.focusNode)) return
  const [anchor, head] = [view.posAtDOM(shown.anchorNode, shown.anchorOffset), view.posAtDOM(shown.focusNode, shown.focusOffset)]
  const actual = TextSelection.between(doc.resolve(anchor), doc.resolve(head))
  if (!actual.eq(selection)) view.dispatch(tr.setSelection(actual))
}
