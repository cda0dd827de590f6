import { useAtomValue } from 'jotai'
import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'react-router'
import { t } from '#say'
import { contentAtom } from '../../atoms/content.ts'
import { filteringAtom } from '../../atoms/filters.ts'
import { guestLink } from '../../lib/guest/link.ts'
import { viewAt } from '../../lib/links.ts'
import { fetchAhead } from '../../lib/load-failure.ts'
import { Presence } from '../live/presence.tsx'
import { lazyPart, OptionalPart } from '../optional-part.tsx'
import { ShareButton } from '../sharing/share-button.tsx'
import { PaletteButton } from './palette-button.tsx'

// Filters are of use only once there is content.
const loadControls = () => import('../filters/controls.tsx')
const FilterControls = lazyPart(async () => (await loadControls()).FilterControls)
const FilterChips = lazyPart(async () => (await import('../filters/chips.tsx')).FilterChips)

interface ViewHeaderProps {
  title: string
  /** Beside the title, for example a count. */
  aside?: ReactNode
  /** At the right end, the main button last. */
  actions?: ReactNode
}

/** The top bar of a page inside the shell: its only h1, presence, search and filters, and actions. */
export function ViewHeader({ title, aside, actions }: ViewHeaderProps) {
  // The items that filters apply to; null in the settings and outside collections.
  const collectionView = viewAt(useLocation().pathname)
  const scope = collectionView?.shows ?? null
  const filtering = useAtomValue(filteringAtom)
  const { posts, assets, loading } = useAtomValue(contentAtom)
  useEffect(() => fetchAhead(loadControls), [])
  const some = loading || filtering || posts.length + assets.length > 0
  return (
    <>
      <header className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 max-sm:gap-x-3 px-4 py-3 lg:px-8">
        <title>{t`${title} · Cairn`}</title>
        <h1 className="min-w-0 truncate text-lg font-semibold first-letter:uppercase">{title}</h1>
        {aside}
        <div className="ms-auto flex flex-wrap items-center gap-2 empty:hidden max-sm:gap-0">
          <Presence />
          {!guestLink && <PaletteButton />}
          {scope && some && (
            // As wide as the final controls, so that nothing moves.
            <div className="flex min-h-9 min-w-11 justify-end sm:min-w-44 lg:min-w-71 xl:min-w-87">
              <OptionalPart>
                <FilterControls scope={scope} />
              </OptionalPart>
            </div>
          )}
          {collectionView && <ShareButton />}
          {actions}
        </div>
      </header>
      {scope && filtering && (
        <OptionalPart>
          <FilterChips />
        </OptionalPart>
      )}
    </>
  )
}
