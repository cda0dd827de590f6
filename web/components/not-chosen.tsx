import { type FocusEvent, useEffect, useState } from 'react'
import { cx } from '../ui/cx.ts'

const RELEASES = ['keyup', 'pointerup', 'mouseup'] as const

/**
 * Whether the focus has left a field with its list: at once, for closing the list, and once the key or button that moved it is released, for showing
 * a message. An earlier message would move the element that is being pressed.
 */
export function useLeft() {
  const [here, setHere] = useState(false)
  const [left, setLeft] = useState(false)
  useEffect(() => {
    if (here) return setLeft(false)
    const ended = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const released = () => {
      // After the click that belongs to it.
      timer ??= setTimeout(() => setLeft(true))
    }
    for (const name of RELEASES) addEventListener(name, released, { signal: ended.signal })
    return () => {
      ended.abort()
      clearTimeout(timer)
    }
  }, [here])
  return {
    here,
    left,
    onFocus: () => setHere(true),
    onBlur: (event: FocusEvent) => setHere(event.currentTarget.contains(event.relatedTarget)),
  }
}

/** Warns when text was typed but nothing chosen: text alone selects nothing. An empty `message` warns of nothing. */
export function NotChosen({ message }: { message: string }) {
  return (
    <p role="status" className={cx('text-sm wrap-anywhere text-warning', message && 'mt-1.5')}>
      {message}
    </p>
  )
}
