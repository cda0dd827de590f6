import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { say } from '#language'
import { msg, plural, t } from '#say'
import { Plural, Trans } from '#say/react'
import { selectedCollectionAtom } from '../../atoms/collections.ts'
import { clearFiltersAtom, filterCountAtom, filteringAtom, peopleAtom, visibleAssetsAtom, visiblePostsAtom } from '../../atoms/filters.ts'
import { fetchCircleAtom } from '../../atoms/members.ts'
import { whenFirstRender } from '../../lib/first-render.ts'
import { afterPaint } from '../../lib/scheduling.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useShortcut } from '../use-shortcut.ts'
import { useWide } from '../use-wide.ts'
import { FilterChoices, type FilterScope, focusAround } from './choices.tsx'
import { FilterSearch } from './search.tsx'

const SEARCH_LABEL = msg`Search this collection`

/** Search and filters of a view: side by side where there is room, behind one button on a small screen. */
export function FilterControls({ scope }: { scope: FilterScope }) {
  useNames()
  const field = useRef<HTMLInputElement>(null)
  const [sheet, setSheet] = useState(false)
  const wide = useWide()
  useShortcut('search', () => (wide ? field.current?.select() : setSheet(true)))
  return (
    <search className="flex items-center gap-2">
      {wide && <FilterSearch label={say(SEARCH_LABEL)} field={field} className="w-44 xl:w-60" />}
      {wide ? <FilterPopover scope={scope} /> : <FilterSheet scope={scope} open={sheet} onOpenChange={setSheet} />}
      <Found scope={scope} />
    </search>
  )
}

/** Loads people's names, which search and filters need. */
function useNames() {
  const collection = useAtomValue(selectedCollectionAtom)
  const known = useAtomValue(peopleAtom) !== null
  const filtering = useAtomValue(filteringAtom)
  const fetchCircle = useSetAtom(fetchCircleAtom)
  const [id, role] = [collection?.id, collection?.role]
  useEffect(() => {
    if (known || !id || !role) return
    let left = false
    const ask = () => void (left || fetchCircle(id, role))
    // Without an active filter, the content goes first.
    if (filtering) ask()
    else void whenFirstRender().then(afterPaint).then(ask)
    return () => {
      left = true
    }
  }, [known, filtering, id, role, fetchCircle])
}

function FilterPopover({ scope }: { scope: FilterScope }) {
  const [open, setOpen] = useState(false)
  const count = useAtomValue(filterCountAtom)
  const clear = useSetAtom(clearFiltersAtom)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={t`Filters`}
      align="end"
      className="w-88"
      trigger={
        <Button icon="filter-list">
          <Trans>Filters</Trans>
          <CountBadge count={count} />
        </Button>
      }
    >
      <div className="max-h-[min(36rem,var(--radix-popover-content-available-height))] overflow-y-auto p-4">
        <FilterChoices scope={scope} />
        {count > 0 && (
          <div className="mt-4 flex justify-end border-t pt-3">
            <Button
              variant="ghost"
              size="sm"
              onClick={({ currentTarget }) => {
                focusAround(currentTarget)
                clear()
              }}
            >
              <Trans>Clear all</Trans>
            </Button>
          </div>
        )}
      </div>
    </Popover>
  )
}

interface FilterSheetProps {
  scope: FilterScope
  open: boolean
  onOpenChange: (open: boolean) => void
}

function FilterSheet({ scope, open, onOpenChange }: FilterSheetProps) {
  const count = useAtomValue(filterCountAtom)
  const clear = useSetAtom(clearFiltersAtom)
  const found = useFound(scope)
  return (
    <>
      <Button
        icon="filter-list"
        aria-haspopup="dialog"
        aria-expanded={open}
        className="max-sm:min-w-11 max-sm:border-0 max-sm:bg-transparent max-sm:px-2.5"
        onClick={() => onOpenChange(true)}
      >
        <span className="max-sm:sr-only">
          <Trans>Search and filters</Trans>
        </span>
        <CountBadge count={count} />
      </Button>
      <Dialog
        open={open}
        onClose={() => onOpenChange(false)}
        title={t`Search and filters`}
        footer={
          <>
            <Button onClick={clear} disabledReason={count === 0 ? t`No filters selected` : undefined}>
              <Trans>Clear all</Trans>
            </Button>
            <Button variant="primary" onClick={() => onOpenChange(false)}>
              <Plural value={found} one="Show # item" other="Show # items" />
            </Button>
          </>
        }
      >
        <div className="grid gap-5">
          <FilterSearch label={say(SEARCH_LABEL)} />
          <FilterChoices scope={scope} />
        </div>
      </Dialog>
    </>
  )
}

function CountBadge({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className="grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent tabular-nums">
      <Trans comment="Filters">
        {count}
        <span className="sr-only"> active</span>
      </Trans>
    </span>
  )
}

function useFound(scope: FilterScope): number {
  const assets = useAtomValue(visibleAssetsAtom).length
  const posts = useAtomValue(visiblePostsAtom).length
  return scope === 'assets' ? assets : assets + posts
}

/** Announces the number of results to screen readers. */
function Found({ scope }: { scope: FilterScope }) {
  const filtering = useAtomValue(filteringAtom)
  const found = useFound(scope)
  return (
    <p role="status" className="sr-only">
      {filtering && t`${plural(found, { one: '# item matches', other: '# items match' })}`}
    </p>
  )
}
