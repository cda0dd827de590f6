import type { Editor } from '@tiptap/core'
import { type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { t } from '#say'
import { PersonOptions, useActive, usePersonChoice } from '../fields/person-options.tsx'
import { useAct } from '../overlays/use-act.ts'
import { type Mention, mentionAt, useMention } from './use-mention.ts'

interface TextMentionsProps {
  editor: Editor
  onTag: (personId: string) => void
}

/** Suggests people while a name is typed after an @. Choosing one inserts the name and tags the person. */
export function TextMentions({ editor, onTag }: TextMentionsProps) {
  const { mention, dismiss } = useMention(editor)
  const written = useSpaceAfter(editor)
  return mention && <Suggestions key={mention.from} {...{ editor, mention, dismiss, onTag, written }} />
}

interface SuggestionsProps extends TextMentionsProps {
  mention: Mention
  dismiss: () => void
  written: (end: number) => void
}

function Suggestions({ editor, mention, dismiss, onTag, written }: SuggestionsProps) {
  const id = useId()
  const act = useAct()
  const list = useRef<HTMLDivElement>(null)
  const { options, take } = usePersonChoice(mention.name, [])
  // Enter does not create a new person by default: an @ may mean something else.
  const [active, setActive] = useActive(mention.name, options[0]?.isNew === false ? 0 : -1)
  const open = options.length > 0
  const choose = (index: number) => {
    const name = options[index]?.name
    if (!name) return
    // More may have been typed since the last render.
    written(write(editor, mentionAt(editor.state) ?? mention, name))
    void act(async () => onTag(await take(index)))
  }
  const onKey = (key: string) => {
    if (key === 'Escape') dismiss()
    else if (key === 'ArrowDown') setActive((active + 1) % options.length)
    else if (key === 'ArrowUp') setActive((Math.max(active, 0) + options.length - 1) % options.length)
    else if (key === 'Enter' && active >= 0) choose(active)
    else return false
    return true
  }
  useEditorKeys(editor, open ? onKey : null)
  useListbox(editor, open ? { 'aria-controls': id, 'aria-activedescendant': active < 0 ? '' : `${id}-${active}` } : null)
  usePosition(editor, { from: mention.from, list, count: options.length })
  return (
    <>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={t`People to tag`}
        className={open ? 'absolute z-20 w-64 max-w-full rounded-lg border bg-raised py-1 shadow-raised' : 'hidden'}
      >
        <PersonOptions {...{ id, options, active }} onActive={setActive} onChoose={choose} />
      </div>
      <p role="status" className="sr-only">
        {open && t`${options.length} to choose from, with the arrow keys`}
      </p>
    </>
  )
}

/** Replaces the typed name, followed by a space if there is none. Returns the end of the inserted text. */
function write({ view }: Editor, { from, to }: Mention, name: string): number {
  const after = view.state.doc.resolve(to)
  const apart = /^\s/.test(after.parent.textBetween(after.parentOffset, after.parent.content.size))
  const text = apart ? name : `${name} `
  view.dispatch(view.state.tr.insertText(text, from, to).scrollIntoView())
  view.focus()
  return from + text.length
}

/** A typed space does not become a second one, and a comma or full stop replaces the inserted space. */
function useSpaceAfter(editor: Editor): (end: number) => void {
  const end = useRef<number | null>(null)
  useEffect(() => {
    const { dom } = editor.view
    const onBeforeInput = (event: InputEvent) => {
      const { selection, doc, tr } = editor.state
      const at = end.current
      end.current = null
      if (event.inputType !== 'insertText' || !selection.empty || selection.head !== at || doc.textBetween(at - 1, at) !== ' ') return
      if (!/^[\s,.;:!?)\]…]$/.test(event.data ?? '')) return
      event.preventDefault()
      if (event.data?.trim()) editor.view.dispatch(tr.insertText(event.data, at - 1, at))
    }
    dom.addEventListener('beforeinput', onBeforeInput, { capture: true })
    return () => dom.removeEventListener('beforeinput', onBeforeInput, { capture: true })
  }, [editor])
  return (at) => {
    end.current = at
  }
}

/** Handles keys before the editor; `onKey` returns whether it used the key. */
function useEditorKeys(editor: Editor, onKey: ((key: string) => boolean) | null) {
  useLayoutEffect(() => {
    const { dom } = editor.view
    const onKeyDown = (event: KeyboardEvent) => {
      const plain = !(event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
      if (!plain || !onKey?.(event.key)) return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    dom.addEventListener('keydown', onKeyDown, { capture: true })
    return () => dom.removeEventListener('keydown', onKeyDown, { capture: true })
  })
}

/** ProseMirror owns its element, so the listbox attributes are set on it directly. Esc belongs to the list while it is open. */
function useListbox(editor: Editor, state: Record<'aria-controls' | 'aria-activedescendant', string> | null) {
  const [controls, active] = [state?.['aria-controls'], state?.['aria-activedescendant']]
  useLayoutEffect(() => {
    const { dom } = editor.view
    const attributes = { 'aria-autocomplete': controls && 'list', 'aria-controls': controls, 'aria-activedescendant': active }
    for (const [name, value] of Object.entries(attributes)) if (value) dom.setAttribute(name, value)
    dom.toggleAttribute('data-own-escape', controls !== undefined)
    return () => {
      for (const name of [...Object.keys(attributes), 'data-own-escape']) dom.removeAttribute(name)
    }
  }, [editor, controls, active])
}

/** Below the @; above it where the screen or its on-screen keyboard leaves too little room. */
function usePosition(editor: Editor, { from, list, count }: { from: number; list: RefObject<HTMLDivElement | null>; count: number }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows from the number of options
  useLayoutEffect(() => {
    const { current } = list
    const frame = current?.parentElement?.getBoundingClientRect()
    if (!current || !frame) return
    const at = editor.view.coordsAtPos(from)
    const { offsetTop = 0, height = innerHeight } = visualViewport ?? {}
    const above = at.bottom + current.offsetHeight > offsetTop + height && at.top > current.offsetHeight
    current.style.left = `${Math.max(0, Math.min(at.left - frame.left, frame.width - current.offsetWidth))}px`
    current.style.top = `${above ? at.top - frame.top - current.offsetHeight - 4 : at.bottom - frame.top + 4}px`
    current.scrollIntoView({ block: 'nearest' })
  }, [editor, from, list, count])
}
