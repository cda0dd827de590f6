import { memo } from 'react'
import type { Asset } from '../../../contract/assets.ts'
import { RENDITIONS } from '../../../contract/limits.ts'
import { formatWhen } from '../../lib/dates/text.ts'
import { kindOf, pictureSources, typeLabel } from '../../lib/media.ts'
import { formatDuration } from '../../lib/media-text.ts'
import { colorOf, placeholderOf } from '../../lib/photos/placeholder.ts'
import { responsivePicture } from '../../lib/photos/responsive-image.ts'
import { cx } from '../../ui/cx.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { FadingImg, placeholderStyle } from '../../ui/image.tsx'

interface TileBox {
  x: number
  y: number
  width: number
  height: number
}

interface AssetTileProps {
  asset: Asset
  index: number
  box: TileBox
  /** Reached by Tab; the arrow keys lead to the others. */
  tabbable: boolean
  selected: boolean
  /** Something is ticked, so a click ticks instead of opening. */
  selecting: boolean
  /** Shift is held over a range that ends here or beyond. */
  foreseen: boolean
  /** Not saved as it is shown. */
  unsaved?: boolean
}

const ICONS: Record<'video' | 'audio' | 'file', IconName> = { video: 'movie', audio: 'audio-file', file: 'draft' }

/** One picture, video or file. Few elements, because a screen holds many: clicks and keys are heard by the grid. */
export const AssetTile = memo(function AssetTile({
  asset,
  index,
  box,
  tabbable,
  selected,
  selecting,
  foreseen,
  unsaved = false,
}: AssetTileProps) {
  const picture =
    box.width > RENDITIONS.thumb ? responsivePicture(asset, `${Math.ceil(box.width)}px`) : { sources: pictureSources(asset, 'thumb') }
  return (
    <button
      type="button"
      data-index={index}
      tabIndex={tabbable ? 0 : -1}
      aria-label={unsaved ? `${tileLabel(asset)}, not saved yet` : tileLabel(asset)}
      {...(selecting ? { 'aria-pressed': selected } : {})}
      style={{
        width: box.width,
        height: box.height,
        transform: `translate(${box.x}px, ${box.y}px)`,
        ...(selected ? {} : placeholderStyle(placeholderOf(asset.thumbhash))),
      }}
      className={cx(
        'absolute top-0 left-0 overflow-hidden rounded-xs text-left select-none focus-visible:z-10 focus-visible:outline-3 focus-visible:-outline-offset-3',
        selected ? 'bg-accent-soft p-2.5' : 'bg-muted',
      )}
    >
      {picture.sources.length === 0 ? (
        <FileFace asset={asset} />
      ) : (
        <FadingImg {...picture} alt="" className={cx(selected && 'rounded-sm')} />
      )}
      {kindOf(asset.type) === 'video' && picture.sources.length > 0 && <VideoBadge duration={asset.duration} />}
      {unsaved && (
        <span className="absolute top-1.5 right-1.5 grid size-6 place-items-center rounded-full bg-black/60 text-white">
          <Icon name="cloud-off" size={16} />
        </span>
      )}
      {foreseen && !selected && <span data-foreseen="" className="absolute inset-0 bg-(--accent) opacity-35" />}
      {selected && (
        <span className="absolute top-1.5 left-1.5 grid size-6 place-items-center rounded-full bg-accent text-on-accent">
          <Icon name="check" size={18} />
        </span>
      )}
    </button>
  )
})

/** For a tile that appears during a fast scroll: a box in the colour of its photo. */
export function TilePlaceholder({ asset, index, box }: Pick<AssetTileProps, 'asset' | 'index' | 'box'>) {
  const { x, y, width, height } = box
  const style = { width, height, transform: `translate(${x}px, ${y}px)`, backgroundColor: colorOf(asset.thumbhash) }
  return <div data-index={index} style={style} className="absolute top-0 left-0 rounded-xs bg-muted" />
}

function VideoBadge({ duration }: { duration: number | null }) {
  return (
    <span className="absolute right-1.5 bottom-1.5 flex items-center gap-0.5 rounded-sm bg-black/60 py-0.5 pr-1.5 pl-0.5 text-xs font-medium tabular text-white">
      <Icon name="play-arrow" size={16} />
      {duration === null ? null : formatDuration(duration)}
    </span>
  )
}

/** For what has no picture: its type and its name. */
export function FileFace({ asset }: { asset: Pick<Asset, 'name' | 'type'> }) {
  const kind = kindOf(asset.type)
  const icon = asset.type === 'application/pdf' ? 'picture-as-pdf' : kind === 'photo' ? 'broken-image' : ICONS[kind]
  return (
    <span className="flex size-full flex-col items-center justify-center gap-1.5 overflow-hidden bg-muted px-3 text-center text-muted">
      <Icon name={icon} size={28} />
      {/* Drawn, not written: of what has a label the text that is seen has to be a part. */}
      <span data-type={typeLabel(asset)} className="text-xs font-semibold before:content-[attr(data-type)]" />
      <span className="line-clamp-2 max-w-full text-xs wrap-anywhere">{asset.name}</span>
    </span>
  )
}

const NOUN = { photo: 'Photo', video: 'Video', audio: 'Recording', file: 'File' }

export function tileLabel(asset: Pick<Asset, 'name' | 'type' | 'alt' | 'date' | 'date_zone' | 'date_precision' | 'location'>): string {
  const kind = kindOf(asset.type)
  // What has no picture shows its name.
  const name = kind === 'photo' ? [asset.alt || asset.name] : [asset.name, asset.alt]
  return [`${NOUN[kind]} ${name.filter(Boolean).join(', ')}`, asset.date && formatWhen(asset), asset.location?.name]
    .filter(Boolean)
    .join(', ')
}
