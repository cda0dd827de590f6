import { Suspense } from 'react'
import type { Location } from '../../../contract/locations.ts'
import { cx } from '../../ui/cx.ts'
import { Skeleton } from '../../ui/states.tsx'
import { lazyPart, OptionalPart } from '../optional-part.tsx'

const LocationMapScreen = lazyPart(async () => (await import('./location-map-screen.tsx')).LocationMapScreen)

export function LocationMap({ location, className }: { location: Location; className?: string }) {
  return (
    <div className={cx('relative overflow-hidden rounded-lg border bg-muted', className)}>
      <OptionalPart>
        <Suspense fallback={<Skeleton rounded="none" className="size-full" />}>
          <LocationMapScreen location={location} />
        </Suspense>
      </OptionalPart>
    </div>
  )
}
