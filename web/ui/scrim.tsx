import { useState } from 'react'

/** Lies under what is modal and keeps the page from scrolling. */
export function Scrim({ open = true }: { open?: boolean }) {
  // The room of a scrollbar that goes is kept. Of one that was not there it would only move the page.
  const [scrolls] = useState(() => document.documentElement.scrollHeight > innerHeight)
  return (
    <div
      data-scroll-lock={scrolls ? 'gutter' : ''}
      data-state={open ? 'open' : 'closed'}
      className="fixed inset-0 z-50 animate-fade-in bg-scrim data-[state=closed]:animate-fade-out"
    />
  )
}
