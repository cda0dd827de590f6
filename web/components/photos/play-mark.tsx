import { kindOf } from '../../lib/media.ts'
import { Icon } from '../../ui/icon.tsx'

/** Shown over the preview of a video; renders nothing for other types. */
export function PlayMark({ type }: { type: string }) {
  if (kindOf(type) !== 'video') return null
  return (
    <span className="absolute inset-0 m-auto grid size-11 place-items-center rounded-full bg-black/55 text-white">
      <Icon name="play-arrow" size={28} />
    </span>
  )
}
