import { useEffect, useRef, useState } from 'react'
import { giveFocus } from './give-focus.ts'

/** Tells screen readers the title of every page after the first, and focuses the page if the focus was lost with the one before. */
export function PageStatus({ page }: { page: string }) {
  const shown = useRef(page)
  const [title, setTitle] = useState('')
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    setTitle(document.title)
    giveFocus(() => document.getElementById('content'))
  }, [page])
  return (
    // A dialog that is still closing hides from screen readers what is not marked as live.
    <p role="status" aria-live="polite" className="sr-only">
      {title}
    </p>
  )
}
