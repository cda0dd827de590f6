import { useEffect, useRef, useState } from 'react'

/** Milliseconds for which a dialog of the page before may still be closing. */
const FOCUS_TIMEOUT = 2_000

/** Tells screen readers the title of every page after the first, and focuses the page if the focus was lost with the one before. */
export function PageStatus({ page }: { page: string }) {
  const shown = useRef(page)
  const [title, setTitle] = useState('')
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    setTitle(document.title)
    const until = performance.now() + FOCUS_TIMEOUT
    const give = () => {
      const at = document.activeElement
      if (at === document.body) document.getElementById('content')?.focus({ preventScroll: true })
      else if (at?.closest('[role=dialog]') && performance.now() < until) requestAnimationFrame(give)
    }
    give()
  }, [page])
  return (
    // A dialog that is still closing hides from screen readers what is not marked as live.
    <p role="status" aria-live="polite" className="sr-only">
      {title}
    </p>
  )
}
