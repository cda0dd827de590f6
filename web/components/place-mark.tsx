import { t } from '#say'
import type { Place } from '../../contract/places.ts'
import { Icon } from '../ui/icon.tsx'

/** That others see less of a place, or that it is not the exact one. `own`: the item is the user's. */
export function PlaceMark({ place, own }: { place: Place | null | undefined; own: boolean }) {
  const words = wordsOf(place, own)
  if (!words) return null
  return (
    <span className="mt-1 flex items-start gap-1.5 text-xs text-muted">
      <Icon name="visibility-off" size={16} className="shrink-0" />
      {words}
    </span>
  )
}

function wordsOf(place: Place | null | undefined, own: boolean): string | null {
  if (!place || place.seen === 'nothing') return null
  if (place.seen === 'town') return t`Somewhere around here: the exact place is not shown to you`
  return own ? t`Only you and admins see the exact place` : t`Not everybody here sees the exact place`
}
