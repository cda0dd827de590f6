import { type RefObject, useEffect, useRef } from 'react'
import { t } from '#say'
import type { Location } from '../../../contract/locations.ts'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { useBaseMap } from './use-base-map.ts'

/** A static map with a pin at its centre. */
export function LocationMapScreen({ location: { lat, lon } }: { location: Location }) {
  const container = useRef<HTMLDivElement>(null)
  const [state] = useBaseMap(container, t`Map`, () => ({ center: [lon, lat], zoom: 5 }))
  useOutOfTabs(container)
  if (state === 'no-webgl' || state === 'failed') return null
  return (
    <div aria-hidden="true" inert className="absolute inset-0">
      <div ref={container} className="absolute inset-0" />
      {state === 'loading' ? (
        <Skeleton rounded="none" className="absolute inset-0" />
      ) : (
        <span className="absolute top-1/2 left-1/2 grid size-9 -translate-x-1/2 -translate-y-full place-items-center rounded-full border-2 border-(--bg-raised) bg-accent text-on-accent shadow-raised">
          <Icon name="location-on" size={20} />
        </span>
      )}
    </div>
  )
}

/** A dialog treats its last element as the end of the Tab order even when that is inert, and focus would then never wrap around. */
function useOutOfTabs(container: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = container.current
    if (!element) return
    const take = () => {
      for (const one of element.querySelectorAll<HTMLElement>('a, button, canvas, summary')) one.tabIndex = -1
    }
    const watching = new MutationObserver(take)
    watching.observe(element, { childList: true, subtree: true })
    take()
    return () => watching.disconnect()
  }, [container])
}
