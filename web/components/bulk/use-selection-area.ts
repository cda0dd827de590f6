import { useSetAtom, useStore } from 'jotai'
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useCallback, useEffect, useRef } from 'react'
import { selectAtom, selectionAtom, setSelectionAtom } from '../../atoms/selection.ts'
import { extended, type SelectedRange } from '../../lib/bulk/selected-range.ts'
import { latinKey } from '../../lib/latin-key.ts'
import { awaitLongPress } from '../../lib/long-press.ts'
import { isTyping } from '../../lib/palette/key-owner.ts'
import { useShortcut } from '../use-shortcut.ts'

type Order = () => readonly { id: string }[]

/**
 * Selects items inside an element. Items carry `data-selectable`; they are selected by their checkbox (`data-select-check`), Ctrl-click, Shift-click, a long
 * press, Space or X. While anything is selected, a click selects instead of opening. `order` is called only when it is needed.
 */
export function useSelectionArea(order: Order) {
  const store = useStore()
  const select = useSetAtom(selectAtom)
  const { toggle, extend } = useRange(order)
  const press = useLongPress((id) => (store.get(selectionAtom).size === 0 ? toggle(id) : extend(id)))
  useShortcut('select-all', () =>
    select(
      order().map(({ id }) => id),
      true,
    ),
  )
  return {
    ...press.handlers,
    /** Shift-click would also select text. */
    onMouseDown: (event: MouseEvent) =>
      event.shiftKey && store.get(selectionAtom).size > 0 && idAt(event.target) !== null && event.preventDefault(),
    onClickCapture(event: MouseEvent) {
      if (press.endsPress()) return swallow(event)
      const id = idAt(event.target)
      const checked = event.target instanceof Element && event.target.closest('[data-select-check]') !== null
      const selecting = store.get(selectionAtom).size > 0
      if (id === null || (!checked && isOwnControl(event.target))) return
      if (event.shiftKey && selecting) extend(id)
      else if (checked || selecting || event.ctrlKey || event.metaKey) toggle(id)
      else return
      swallow(event)
    },
    onKeyDown(event: KeyboardEvent) {
      const id = idAt(event.target)
      if (id === null || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
      const open = event.target instanceof Element && event.target.matches('[data-select-open], article')
      if (latinKey(event) !== 'x' && !(event.key === ' ' && open)) return
      if (event.shiftKey) extend(id)
      else toggle(id)
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

/** Selects one item, or the range from the last one. */
function useRange(order: Order) {
  const store = useStore()
  const select = useSetAtom(selectAtom)
  const setSelection = useSetAtom(setSelectionAtom)
  const range = useRef<SelectedRange | null>(null)
  const toggle = (id: string) => {
    const on = !store.get(selectionAtom).has(id)
    range.current = { anchor: id, selected: on ? [id] : [] }
    select([id], on)
  }
  const extend = (id: string) => {
    const items = order()
    const selected = store.get(selectionAtom)
    const index = items.findIndex((item) => item.id === id)
    const known = selected.size > 0 && items.some((item) => item.id === range.current?.anchor)
    if (index < 0 || !known || !range.current) return toggle(id)
    const next = extended(items, { selected, range: range.current }, index)
    range.current = next.range
    setSelection(next.selected)
  }
  return { toggle, extend }
}

function useLongPress(onPress: (id: string) => void) {
  const press = useRef<{ giveUp: () => void; done: boolean } | null>(null)
  const release = useCallback(() => {
    press.current?.giveUp()
    press.current = null
  }, [])
  useEffect(() => release, [release])
  return {
    /** The click that ends a long press must not undo it. */
    endsPress() {
      const done = press.current?.done === true
      if (done) release()
      return done
    },
    handlers: {
      onPointerDown(event: PointerEvent) {
        const id = idAt(event.target)
        release()
        if (event.pointerType === 'mouse' || id === null) return
        const onLongPress = () => {
          if (press.current) press.current.done = true
          navigator.vibrate?.(10)
          onPress(id)
        }
        press.current = { giveUp: awaitLongPress(event, { onLongPress, onEnded: release }), done: false }
      },
      onPointerUp() {
        // Kept a little longer for the click that may follow.
        if (press.current?.done) setTimeout(release, 50)
        else release()
      },
      onPointerCancel: release,
      onContextMenu: (event: MouseEvent) => press.current && event.preventDefault(),
    },
  }
}

function idAt(target: EventTarget | null): string | null {
  return target instanceof Element ? (target.closest<HTMLElement>('[data-selectable]')?.dataset.selectable ?? null) : null
}

/** Menus and links of an item keep working while items are selected. */
function isOwnControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a, [aria-haspopup], [role=menu]') !== null
}

function swallow(event: MouseEvent): void {
  event.preventDefault()
  event.stopPropagation()
}
