import type { Asset } from '../../../contract/assets.ts'
import { imageSources, kindOf } from '../../lib/media.ts'
import { countOf } from '../../lib/media-text.ts'
import { placeholderOf } from '../../lib/photos/placeholder.ts'
import { cx } from '../../ui/cx.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Image } from '../../ui/image.tsx'
import { useDraggable } from './drag-dates.tsx'

const MAX_CELLS = 3
/** On a grid of two columns and two rows; a small screen has room for the first photo only. */
const SHAPES: Record<number, string[]> = {
  1: ['col-span-2 row-span-2'],
  2: ['row-span-2 @max-xl/week:col-span-2', 'row-span-2 @max-xl/week:hidden'],
  3: ['row-span-2 @max-xl/week:col-span-2', '@max-xl/week:hidden', '@max-xl/week:hidden'],
}

interface DayMosaicProps {
  assets: readonly Asset[]
  /** Assets that the user may move. */
  movable: readonly Asset[]
  onOpen: () => void
  className?: string
}

/** The photos of a day in a small block; the last one counts the rest. */
export function DayMosaic({ assets, movable, onOpen, className }: DayMosaicProps) {
  const drag = useDraggable(movable.length > 0 ? { items: movable } : null)
  const shown = assets.slice(0, MAX_CELLS)
  const shapes = SHAPES[shown.length] ?? []
  const more = assets.length - shown.length
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={countOf(assets.map(({ type }) => kindOf(type)))}
      {...drag}
      onClick={onOpen}
      className={cx('relative grid w-full grid-cols-2 grid-rows-2 gap-px overflow-hidden rounded-md bg-muted select-none', className)}
    >
      {shown.map((asset, index) => (
        <span key={asset.id} className={cx('relative min-h-0 overflow-hidden', shapes[index])}>
          <Thumb asset={asset} />
          {more > 0 && index === MAX_CELLS - 1 && (
            // Generated content: the button's name already has the full count.
            <span
              dir="ltr"
              data-more={`+${more}`}
              className="absolute inset-0 grid place-items-center bg-black/55 text-xs font-semibold tabular-nums text-white before:content-[attr(data-more)]"
            />
          )}
        </span>
      ))}
      {assets.length > 1 && (
        <span
          aria-hidden="true"
          className="absolute end-0.5 bottom-0.5 rounded-sm bg-black/65 px-1 text-xs font-semibold tabular-nums text-white @xl/week:hidden"
        >
          {assets.length}
        </span>
      )}
    </button>
  )
}

const ICONS: Record<'photo' | 'video' | 'audio' | 'file', IconName> = {
  photo: 'broken-image',
  video: 'movie',
  audio: 'audio-file',
  file: 'draft',
}

/** An asset that fills its container without affecting its size. */
export function Thumb({ asset }: { asset: Asset }) {
  const sources = imageSources(asset, 'thumb')
  if (sources.length > 0) {
    return <Image sources={sources} alt="" placeholder={placeholderOf(asset.thumbhash)} frameClassName="absolute inset-0" />
  }
  return (
    <span className="grid size-full place-items-center text-muted">
      <Icon name={ICONS[kindOf(asset.type)]} size={18} />
    </span>
  )
}
