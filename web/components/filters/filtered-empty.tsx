import { useAtomValue, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { clearFiltersAtom, filtersAtom, searchAtom } from '../../atoms/filters.ts'
import { isFiltering } from '../../lib/filters/content.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { focusFilters } from './focus-filters.ts'

interface FilteredEmptyProps {
  /** Replaces the usual title where items match, but the view cannot show them. */
  title?: string | undefined
  compact?: boolean
  children?: ReactNode
}

/** The collection has items, but none match the filters and the search. */
export function FilteredEmpty({ title, compact = false, children = <Trans>This collection has other items.</Trans> }: FilteredEmptyProps) {
  const clear = useSetAtom(clearFiltersAtom)
  const filters = useAtomValue(filtersAtom)
  const search = useAtomValue(searchAtom)
  const listed = isFiltering(filters)
  const shown = search.length > 60 ? `${search.slice(0, 60)}…` : search
  const noMatch =
    search === '' ? t`No items match the filters` : listed ? t`No items match “${shown}” and the filters` : t`No items match “${shown}”`
  return (
    <EmptyState
      icon={listed || search === '' ? 'filter-list' : 'search'}
      title={<span className="wrap-anywhere">{title ?? noMatch}</span>}
      compact={compact}
      action={
        <Button
          onClick={() => {
            focusFilters()
            clear()
          }}
        >
          {listed || search === '' ? t`Clear filters` : t`Clear search`}
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}
