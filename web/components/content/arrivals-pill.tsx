import { Trans } from '#say/react'
import { Icon } from '../../ui/icon.tsx'

interface ArrivalsPillProps {
  count: number
  onGo: () => void
}

/** Counts the items that others added above the visible ones, without moving the list. Shown at the top edge of the list. */
export function ArrivalsPill({ count, onGo }: ArrivalsPillProps) {
  const go = () => {
    onGo()
    // The button disappears once the top is reached, and must not take the focus with it.
    document.getElementById('content')?.focus({ preventScroll: true })
  }
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-[calc(4.25rem+env(safe-area-inset-top))] z-25 flex justify-center lg:top-4 lg:start-(--rail-width) lg:in-data-[rail=narrow]:start-(--rail-narrow)"
    >
      {count > 0 && (
        <button
          type="button"
          onClick={go}
          className="pointer-events-auto flex h-9 animate-rise-in items-center gap-1.5 rounded-full bg-accent pe-4 ps-3 text-sm font-medium tabular-nums text-on-accent shadow-raised pointer-coarse:h-11"
        >
          <Icon name="arrow-upward" size={18} />
          <Trans comment="Photos and posts that others have just added">{count} new</Trans>
        </button>
      )}
    </div>
  )
}
