import { useAtomValue, useSetAtom } from 'jotai'
import { t } from '#say'
import { Trans } from '#say/react'
import { clearFiltersAtom, filtersAtom, peopleAtom, searchAtom, setSearchAtom, toggleFilterAtom } from '../../atoms/filters.ts'
import { chipLabel, SECTIONS } from '../../lib/filters/words.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { focusFilters } from './focus-filters.ts'

/** The active filters, each removable on its own, or all at once. */
export function FilterChips() {
  const filters = useAtomValue(filtersAtom)
  const search = useAtomValue(searchAtom)
  const people = useAtomValue(peopleAtom)
  const toggle = useSetAtom(toggleFilterAtom)
  const setSearch = useSetAtom(setSearchAtom)
  const clear = useSetAtom(clearFiltersAtom)
  return (
    <div className="relative flex items-center gap-2 overflow-x-auto px-4 pb-3 [scrollbar-width:none] lg:flex-wrap lg:px-8">
      <ul aria-label={t`Active filters`} className="flex items-center gap-1.5 lg:flex-wrap">
        {search !== '' && <Chip label={t`“${search}”`} onRemove={() => setSearch('')} />}
        {SECTIONS.flatMap(({ key }) =>
          filters[key].map((value) => (
            <Chip key={`${key} ${value}`} label={chipLabel(key, value, people)} onRemove={() => toggle(key, value)} />
          )),
        )}
      </ul>
      <Button
        variant="ghost"
        size="sm"
        onClick={() => {
          focusFilters()
          clear()
        }}
      >
        <Trans>Clear all</Trans>
      </Button>
    </div>
  )
}

function Chip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <li className="flex">
      <button
        type="button"
        onClick={({ currentTarget: { parentElement: place } }) => {
          const next = (place?.nextElementSibling ?? place?.previousElementSibling)?.querySelector('button')
          if (next) next.focus()
          else focusFilters()
          onRemove()
        }}
        className="flex h-8 items-center gap-1 rounded-full bg-accent-soft pe-2 ps-3 text-sm whitespace-nowrap text-accent hover:bg-muted pointer-coarse:h-11"
      >
        <Trans>
          <span className="sr-only">Remove filter </span>
          <span className="max-w-48 truncate">{label}</span>
        </Trans>
        <Icon name="close" size={16} />
      </button>
    </li>
  )
}
