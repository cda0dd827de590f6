import { type FocusEvent, useEffect, useState } from 'react'
import { cx } from '../ui/cx.ts'

const RELEASES = ['keyup', 'pointerup', 'mouseup'] as const

/**
 * Whether the focus has left a field with its list: at once, for closing the list, and once the key or the button that took it away is
 * released, for saying something in between. What is said earlier would move what is being pressed.
 */
export function useLeft() {
  const [here, setHere] = useState(false)
  const [left, setLeft] = useState(false)
  useEffect(() => {
    if (here) return setLeft(false)
    const ended = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const released = () => {
      // After the click that goes with it.
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

/** What was typed is not taken by itself, and whoever goes on without choosing is told so. */
export function NotChosen({ text, what }: { text: string; what: string }) {
  return (
    <p role="status" className={cx('text-sm wrap-anywhere text-warning', text && 'mt-1.5')}>
      {text && `“${text}” is not added: choose ${what}.`}
    </p>
  )
}
