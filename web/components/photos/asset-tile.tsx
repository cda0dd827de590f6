import { memo } from 'react'
import { joined } from '#language'
import { t } from '#say'
import type { Asset } from '../../../contract/assets.ts'
import { RENDITIONS } from '../../../contract/limits.ts'
import { answersText } from '../../lib/answers/words.ts'
import { formatWhen } from '../../lib/dates/text.ts'
import { imageSources, kindOf, type MediaKind, typeLabel } from '../../lib/media.ts'
import { formatDuration } from '../../lib/media-text.ts'
import { colorOf, placeholderOf } from '../../lib/photos/placeholder.ts'
import { responsiveSources } from '../../lib/photos/responsive-image.ts'
import { cx } from '../../ui/cx.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { FadingImg, placeholderStyle } from '../../ui/image.tsx'
import { AnswersMark } from '../answers/answers-mark.tsx'
import { type Marked, markOf } from './part-words.ts'
import { PartsMark } from './parts-mark.tsx'

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
  /** Roving tabindex: Tab reaches one tile, the arrow keys reach the others. */
  tabbable: boolean
  selected: boolean
  /** Items are selected, so a click selects instead of opening. */
  selecting: boolean
  /** The tile is in the range that Shift-click would select. */
  previewed: boolean
  unsaved?: boolean
}

const ICONS: Record<'video' | 'audio' | 'file', IconName> = { video: 'movie', audio: 'audio-file', file: 'draft' }

/** A photo, video or file. It has few elements, because a screen shows many tiles; the grid handles clicks and keys. */
export const AssetTile = memo(function AssetTile({
  asset,
  index,
  box,
  tabbable,
  selected,
  selecting,
  previewed,
  unsaved = false,
}: AssetTileProps) {
  const picture =
    box.width > RENDITIONS.thumb ? responsiveSources(asset, `${Math.ceil(box.width)}px`) : { sources: imageSources(asset, 'thumb') }
  return (
    <button
      type="button"
      data-index={index}
      data-selectable={asset.id}
      tabIndex={tabbable ? 0 : -1}
      aria-label={unsaved ? t`${tileLabel(asset)}, not saved yet` : tileLabel(asset)}
      {...(selecting ? { 'aria-pressed': selected } : {})}
      style={{
        width: box.width,
        height: box.height,
        ...placedAt(box),
        ...(selected ? {} : placeholderStyle(placeholderOf(asset.thumbhash))),
      }}
      className={cx(
        'absolute top-0 start-0 overflow-hidden rounded-xs text-start select-none focus-visible:z-10 focus-visible:outline-3 focus-visible:-outline-offset-3',
        selected ? 'bg-accent-soft p-2.5' : 'bg-muted',
      )}
    >
      {picture.sources.length === 0 ? (
        <FileFace asset={asset} />
      ) : (
        <FadingImg {...picture} alt="" className={cx(selected && 'rounded-sm')} />
      )}
      {kindOf(asset.type) === 'video' && picture.sources.length > 0 && <VideoBadge duration={asset.duration} />}
      <span className="absolute bottom-1.5 start-1.5 flex items-center gap-1">
        <PartsMark asset={asset} className="" />
        <AnswersMark answers={asset.answers} />
      </span>
      {unsaved && (
        <span className="absolute top-1.5 end-1.5 grid size-6 place-items-center rounded-full bg-black/60 text-white">
          <Icon name="cloud-off" size={16} />
        </span>
      )}
      {previewed && !selected && <span data-previewed="" className="absolute inset-0 bg-(--accent) opacity-35" />}
      {selected && (
        <span className="absolute top-1.5 start-1.5 grid size-6 place-items-center rounded-full bg-accent text-on-accent">
          <Icon name="check" size={18} />
        </span>
      )}
    </button>
  )
})

/** From the upper corner where reading begins. */
const placedAt = ({ x, y }: TileBox) => ({ transform: `translate(calc(${x}px * var(--forward)), ${y}px)` })

/** For a tile that appears during a fast scroll: a box in the colour of its photo. */
export function TilePlaceholder({ asset, index, box }: Pick<AssetTileProps, 'asset' | 'index' | 'box'>) {
  const { width, height } = box
  const style = { width, height, ...placedAt(box), backgroundColor: colorOf(asset.thumbhash) }
  return <div data-index={index} style={style} className="absolute top-0 start-0 rounded-xs bg-muted" />
}

function VideoBadge({ duration }: { duration: number | null }) {
  return (
    <span className="absolute end-1.5 bottom-1.5 flex items-center gap-0.5 rounded-sm bg-black/60 py-0.5 pe-1.5 ps-0.5 text-xs font-medium tabular-nums text-white">
      <Icon name="play-arrow" size={16} />
      {duration === null ? null : formatDuration(duration)}
    </span>
  )
}

/** For files without a preview: type, length and name. */
export function FileFace({ asset }: { asset: Pick<Asset, 'name' | 'type'> & Partial<Pick<Asset, 'duration'>> }) {
  const kind = kindOf(asset.type)
  const label = asset.duration ? `${typeLabel(asset)} · ${formatDuration(asset.duration)}` : typeLabel(asset)
  const icon = asset.type === 'application/pdf' ? 'picture-as-pdf' : kind === 'photo' ? 'broken-image' : ICONS[kind]
  return (
    <span className="flex size-full flex-col items-center justify-center gap-1.5 overflow-hidden bg-muted px-3 text-center text-muted">
      <Icon name={icon} size={28} />
      {/* Generated content, because the visible text of a labelled element has to be part of its label. */}
      <span data-type={label} className="text-xs font-semibold before:content-[attr(data-type)]" />
      <span dir="auto" className="line-clamp-2 max-w-full text-xs wrap-anywhere">
        {asset.name}
      </span>
    </span>
  )
}

const NAMED: Record<MediaKind, (name: string) => string> = {
  photo: (name) => t`Photo ${name}`,
  video: (name) => t`Video ${name}`,
  audio: (name) => t`Recording ${name}`,
  file: (name) => t`File ${name}`,
}

export function tileLabel(
  asset: Pick<Asset, 'name' | 'type' | 'alt' | 'date' | 'date_zone' | 'date_precision' | 'location'> &
    Marked &
    Partial<Pick<Asset, 'answers'>>,
): string {
  const kind = kindOf(asset.type)
  // Files without a preview show their name.
  const name = kind === 'photo' ? [asset.alt || asset.name] : [asset.name, asset.alt]
  const length = kind !== 'photo' && asset.duration ? formatDuration(asset.duration) : null
  return joined([
    NAMED[kind](joined(name)),
    length,
    asset.date && formatWhen(asset),
    asset.location?.name,
    markOf(asset)?.label,
    answersText(asset.answers),
  ])
}
