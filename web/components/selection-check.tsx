import { useAtomValue } from 'jotai'
import { t } from '#say'
import { selectionAtom } from '../atoms/selection.ts'
import { guestLink } from '../lib/guest/link.ts'
import { cx } from '../ui/cx.ts'
import { Icon } from '../ui/icon.tsx'

/** The checkbox of an item: shown on hover and focus, and on every item while any is selected. Its container needs `group/selectable`. */
export function SelectionCheck({ id, name, className }: { id: string; name: string; className?: string }) {
  const selected = useAtomValue(selectionAtom)
  const on = selected.has(id)
  if (guestLink) return null
  return (
    <button
      type="button"
      data-select-check=""
      aria-pressed={on}
      aria-label={t`Select ${name}`}
      className={cx(
        'touch-target absolute! z-3 grid size-6 place-items-center rounded-full transition-opacity duration-(--fast) focus-visible:opacity-100',
        on ? 'bg-accent text-on-accent' : 'bg-black/45 text-white hover:bg-black/65',
        selected.size === 0 && 'opacity-0 group-hover/selectable:opacity-100 pointer-coarse:pointer-events-none',
        className,
      )}
    >
      <Icon name="check" size={18} />
    </button>
  )
}

export function useIsSelected(id: string): boolean {
  return useAtomValue(selectionAtom).has(id)
}

/** Outline of a selected item. */
export const SELECTED = 'outline-3 -outline-offset-3 outline-(--accent)'
