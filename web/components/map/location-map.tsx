import { Suspense } from 'react'
import type { Location } from '../../../contract/locations.ts'
import { cx } from '../../ui/cx.ts'
import { Skeleton } from '../../ui/states.tsx'
import { lazyPart, OptionalPart } from '../optional-part.tsx'

const PlaceMapScreen = lazyPart(async () => (await import('./location-map-screen.tsx')).PlaceMapScreen)

/** Where something was, on a small map to look at. */
export function PlaceMap({ location, className }: { location: Location; className?: string }) {
  return (
    <div className={cx('relative overflow-hidden rounded-lg border bg-muted', className)}>
      <OptionalPart>
        <Suspense fallback={<Skeleton rounded="none" className="size-full" />}>
          <PlaceMapScreen location={location} />
        </Suspense>
      </OptionalPart>
    </div>
  )
}
