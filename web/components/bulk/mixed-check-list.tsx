import type { ReactNode } from 'react'
import type { Share } from '../../lib/bulk/plan.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'

interface MixedCheckOption {
  id: string
  label: string
  face: ReactNode
  /** The number of items that have it, and the total. */
  share: Share
  detail: string
  /** The requested value; undefined leaves items unchanged. */
  wanted: boolean | undefined
}

interface MixedCheckListProps {
  label: string
  options: readonly MixedCheckOption[]
  onToggle: (id: string) => void
}

/** Checkboxes for many items: checked for all, some or none. An untouched one changes nothing. */
export function MixedCheckList({ label, options, onToggle }: MixedCheckListProps) {
  return (
    <ul aria-label={label} className="max-h-72 overflow-y-auto rounded-lg border p-1 empty:hidden">
      {options.map((option) => {
        const state = option.wanted === undefined ? option.share : option.wanted ? 'all' : 'none'
        return (
          <li key={option.id}>
            {/* biome-ignore lint/a11y/useSemanticElements: a native checkbox needs a script for the mixed state */}
            <button
              type="button"
              role="checkbox"
              aria-checked={state === 'some' ? 'mixed' : state === 'all'}
              onClick={() => onToggle(option.id)}
              className="flex min-h-11 w-full items-center gap-3 rounded-md px-2.5 py-1 text-start text-sm hover:bg-muted focus-visible:-outline-offset-2"
            >
              <span
                className={cx(
                  'grid size-5 shrink-0 place-items-center rounded-xs border',
                  state === 'none' ? 'border-control bg-page' : 'border-accent bg-accent text-on-accent',
                )}
              >
                {state !== 'none' && <Icon name={state === 'all' ? 'check' : 'remove'} size={16} />}
              </span>
              {option.face}
              <span className="min-w-0 grow truncate font-medium" dir="auto">
                {option.label}
              </span>
              <span className={cx('shrink-0 text-xs tabular-nums', option.wanted === undefined ? 'text-muted' : 'text-accent')}>
                {option.detail}
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
