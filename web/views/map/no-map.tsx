import { useMemo, useRef, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { kindBit, type LocatedItem } from '../../atoms/map.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState, Notice } from '../../ui/states.tsx'
import { LocationList, spotsOf } from './location-list.tsx'
import { usePlaceIndex } from './pin-words.ts'
import { SpotItems } from './spot-items.tsx'
import type { Pin } from './use-clusters.ts'

interface NoMapProps {
  reason: 'no-webgl' | 'failed'
  onRetry: () => void
  located: readonly LocatedItem[]
  onOpen: (id: string, among?: readonly string[]) => void
}

/** Shows the list alone when there is no map. */
export function NoMap({ reason, onRetry, located, onOpen }: NoMapProps) {
  const index = usePlaceIndex()
  const pins = useMemo(
    () =>
      located.map(
        (item, nth): Pin => ({ id: `p${nth}`, ...item.row.location, count: 1, newest: nth, kinds: kindBit(item), item, of: located }),
      ),
    [located],
  )
  const [name, setName] = useState<string | null>(null)
  const section = useRef<HTMLElement>(null)
  const open = (next: string | null) => {
    // The focused button disappears.
    section.current?.focus()
    setName(next)
  }
  const spots = useMemo(() => spotsOf(pins, index), [pins, index])
  const spot = spots.find((one) => one.name === name)
  if (reason === 'failed' && located.length === 0) {
    return <ErrorState title={t`The map could not be loaded`} message={t`Check the connection and try again.`} onRetry={onRetry} />
  }
  const ids = spot?.pins.map(({ item }) => item.row.id)
  return (
    <section
      ref={section}
      aria-label={t`Items on the map`}
      tabIndex={-1}
      className="mx-auto flex w-full max-w-2xl min-w-0 flex-col gap-3 overflow-y-auto p-4 outline-none"
    >
      <Notice
        action={
          reason === 'failed' && (
            <Button size="sm" onClick={onRetry}>
              <Trans>Try again</Trans>
            </Button>
          )
        }
      >
        {reason === 'no-webgl'
          ? t`This browser cannot display maps (WebGL is missing or turned off). Here are the places as a list.`
          : t`The map could not be loaded. Here are the places as a list.`}
      </Notice>
      {spot && ids ? (
        <>
          <div className="flex items-center gap-2">
            <Button variant="ghost" size="sm" icon="arrow-back" iconOnly onClick={() => open(null)}>
              <Trans>Back to all places</Trans>
            </Button>
            <h2 className="font-semibold">{spot.name}</h2>
          </div>
          <SpotItems items={spot.pins.map(({ item }) => item)} onOpen={(item) => onOpen(item.row.id, ids)} />
        </>
      ) : (
        <LocationList pins={pins} index={index} onOpen={(one) => open(one.name)} />
      )}
    </section>
  )
}
