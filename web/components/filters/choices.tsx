import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'
import { numberText, say } from '#language'
import { Trans } from '#say/react'
import type { Person } from '../../../contract/people.ts'
import { postsAtom } from '../../atoms/content.ts'
import { allCountsAtom, assetCountsAtom, filtersAtom, peopleAtom, setFilterAtom, toggleFilterAtom } from '../../atoms/filters.ts'
import { tilesAtom } from '../../atoms/tiles.ts'
import { CHOICES, type Counts, countChoices, type FilterKey, NO_FILTERS } from '../../lib/filters/content.ts'
import { createTally } from '../../lib/filters/tally.ts'
import { choiceLabel, SECTIONS } from '../../lib/filters/words.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { UserAvatar } from '../user-avatar.tsx'

/** Kinds of items in the view: posts and assets, or assets alone. */
export type FilterScope = 'all' | 'assets'

/** Counts of the unfiltered content, so that choices do not appear and disappear while the user chooses. */
const talliesAtom = atom(() => ({ all: createTally(), assets: createTally() }))
const TOTALS = {
  all: atom((get) => countChoices(get(talliesAtom).all(get(postsAtom), get(tilesAtom)), NO_FILTERS)),
  assets: atom((get) => countChoices(get(talliesAtom).assets([], get(tilesAtom)), NO_FILTERS)),
}
const COUNTS = { all: allCountsAtom, assets: assetCountsAtom }

/** Further people are shown on request. */
const FEW_PEOPLE = 12

/** Every filter that the collection offers, with the number of results. */
export function FilterChoices({ scope }: { scope: FilterScope }) {
  const filters = useAtomValue(filtersAtom)
  const totals = useAtomValue(TOTALS[scope])
  const counts = useAtomValue(COUNTS[scope])
  const people = useAtomValue(peopleAtom)
  const offered = SECTIONS.map(({ key, title }) => ({ key, title, values: valuesOf(key, totals, filters[key], people) }))
  // A filter with a single value is left out, unless that value is selected.
  const sections = offered.filter(({ key, values }) => values.length > (key === 'people' || filters[key].length > 0 ? 0 : 1))
  if (sections.length === 0)
    return (
      <p className="text-sm text-muted">
        <Trans>No filters to choose from: all items are of the same kind.</Trans>
      </p>
    )
  return (
    <div className="grid gap-5">
      {sections.map((section) => (
        <Section
          key={section.key}
          name={section.key}
          title={say(section.title)}
          values={section.values}
          counts={counts}
          chosen={filters[section.key]}
        />
      ))}
    </div>
  )
}

/** Focuses the popover or sheet around a button that is about to disappear. */
export function focusAround(button: HTMLElement): void {
  button.closest<HTMLElement>('[role=dialog]')?.focus()
}

/** People known only in another collection of a shared item are left out, unless they are selected. */
function valuesOf(key: FilterKey, totals: Counts, chosen: readonly string[], known: readonly Person[] | null): string[] {
  const there = (value: string) => (totals[key].get(value) ?? 0) > 0 || chosen.includes(value)
  if (key !== 'people') return CHOICES[key].filter(there)
  const count = (id: string) => totals.people.get(id) ?? 0
  const ids = new Set([...(known ?? []).map(({ id }) => id).filter(there), ...chosen])
  return [...ids].sort((a, b) => count(b) - count(a))
}

interface SectionProps {
  name: FilterKey
  title: string
  values: string[]
  counts: Counts
  chosen: readonly string[]
}

function Section({ name, title, values, counts, chosen }: SectionProps) {
  const id = useId()
  const people = useAtomValue(peopleAtom)
  const toggle = useSetAtom(toggleFilterAtom)
  const set = useSetAtom(setFilterAtom)
  const [all, setAll] = useState(false)
  const shown = name === 'people' && !all ? values.filter((value, index) => index < FEW_PEOPLE || chosen.includes(value)) : values
  return (
    <section aria-labelledby={id}>
      <div className="flex h-7 items-center justify-between gap-4">
        <h3 id={id} className="text-xs font-medium text-muted">
          {title}
        </h3>
        {chosen.length > 0 && (
          <Button
            variant="ghost"
            size="xs"
            className="-me-2.5"
            onClick={({ currentTarget }) => {
              focusAround(currentTarget)
              set(name, [])
            }}
          >
            <Trans>
              Clear<span className="sr-only"> {title}</span>
            </Trans>
          </Button>
        )}
      </div>
      <ul aria-labelledby={id} className="mt-1 flex flex-wrap gap-1.5">
        {shown.map((value) => (
          <li key={value} className="max-w-full">
            <Choice
              label={choiceLabel(name, value, people)}
              isPerson={name === 'people'}
              userId={people?.find(({ id: person }) => person === value)?.user_id}
              count={counts[name].get(value) ?? 0}
              chosen={chosen.includes(value)}
              onToggle={() => toggle(name, value)}
            />
          </li>
        ))}
        {shown.length < values.length && (
          <li>
            <Button variant="ghost" size="sm" onClick={() => setAll(true)}>
              <Trans comment="Shows all people to choose from, of whom there are so many">All {values.length}</Trans>
            </Button>
          </li>
        )}
      </ul>
    </section>
  )
}

interface ChoiceProps {
  label: string
  isPerson: boolean
  userId: string | null | undefined
  count: number
  chosen: boolean
  onToggle: () => void
}

function Choice({ label, isPerson, userId, count, chosen, onToggle }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onToggle}
      className={cx(
        'flex h-8 max-w-full items-center gap-1.5 rounded-full border px-3 text-sm transition-colors duration-(--fast) pointer-coarse:h-11 pointer-coarse:px-4',
        chosen ? 'border-accent bg-accent-soft font-medium text-accent' : 'border-strong hover:bg-muted',
        isPerson && 'ps-1.5',
      )}
    >
      {isPerson && <UserAvatar userId={userId} name={label} size="2xs" />}
      <span className="min-w-0 truncate" dir="auto">
        {label}
      </span>
      <span className={cx('text-xs tabular-nums', !chosen && 'text-muted')}>
        <span className="sr-only">, </span>
        {numberText(count)}
      </span>
    </button>
  )
}
