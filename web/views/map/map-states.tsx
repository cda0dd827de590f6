import { useAtomValue } from 'jotai'
import { t } from '#say'
import { Trans } from '#say/react'
import { filteringAtom } from '../../atoms/filters.ts'
import { FilteredEmpty } from '../../components/filters/filtered-empty.tsx'
import { useAddFiles } from '../../components/uploads/use-add-files.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState, Skeleton } from '../../ui/states.tsx'

/** Over the map while it loads: water, and pins in plausible positions. */
export function MapSkeleton() {
  return (
    <div role="status" aria-label={t`Loading the map`} className="absolute inset-0 z-1 bg-(--map-water)">
      {['top-1/4 left-1/5', 'top-1/2 left-1/2', 'top-2/5 left-3/4'].map((position) => (
        <Skeleton rounded="lg" key={position} className={`absolute size-14 opacity-60 ${position}`} />
      ))}
    </div>
  )
}

/** Shown over the map when no item has a location, with the action that adds one or, if others may have one, clears the filters. */
export function MapEmpty({ unlocated }: { unlocated: boolean }) {
  const { allowed, choose } = useAddFiles()
  const filtering = useAtomValue(filteringAtom)
  const hint = unlocated
    ? t`Drag items from below the map to their place, or add photos with GPS data.`
    : allowed && !filtering
      ? t`Photos with GPS data appear on the map automatically.`
      : t`Photos and posts with a place appear here.`
  return (
    <div className="pointer-events-none absolute inset-0 z-1 grid place-items-center p-4 max-lg:pb-20">
      <div className="pointer-events-auto max-w-md rounded-2xl border bg-raised py-2 shadow-raised">
        {filtering ? (
          <FilteredEmpty title={t`No matching items have a place`} compact>
            {hint}
          </FilteredEmpty>
        ) : (
          <EmptyState
            icon="map"
            title={t`No items have a place yet`}
            compact
            action={
              allowed && (
                <Button variant="primary" icon="upload" onClick={() => void choose()}>
                  <Trans>Choose photos</Trans>
                </Button>
              )
            }
          >
            {hint}
          </EmptyState>
        )}
      </div>
    </div>
  )
}
