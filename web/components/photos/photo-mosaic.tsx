import { useAtomValue } from 'jotai'
import { joined, numberText } from '#language'
import { plural, t } from '#say'
import type { PostAsset } from '../../../contract/posts.ts'
import { asTilesAtom } from '../../atoms/tiles.ts'
import { aspectOf } from '../../lib/media.ts'
import { responsiveSources } from '../../lib/photos/responsive-image.ts'
import { cx } from '../../ui/cx.ts'
import { SELECTED, SelectionCheck, useIsSelected } from '../selection-check.tsx'
import { FileFace } from './asset-tile.tsx'
import { markOf } from './part-words.ts'
import { PartsMark } from './parts-mark.tsx'
import { PassingImage } from './passing-image.tsx'
import { PlayMark } from './play-mark.tsx'

const MAX_CELLS = 5

type Shape = [position: string, columns: number, rows: number]

/** Cells on a grid of six columns and two rows, by the number of photos. */
const SHAPES: Record<number, Shape[]> = {
  1: [['col-span-6 row-span-2', 6, 2]],
  2: [
    ['col-span-3 row-span-2', 3, 2],
    ['col-span-3 row-span-2', 3, 2],
  ],
  3: [
    ['col-span-4 row-span-2', 4, 2],
    ['col-span-2', 2, 1],
    ['col-span-2', 2, 1],
  ],
  4: [
    ['col-span-3 row-span-2', 3, 2],
    ['col-span-3', 3, 1],
    ['col-start-4 col-span-1 sm:col-start-auto', 1, 1],
    ['col-span-2', 2, 1],
  ],
  5: [
    ['col-span-3 row-span-2', 3, 2],
    ['col-span-2', 2, 1],
    ['col-span-1', 1, 1],
    ['col-span-1', 1, 1],
    ['col-span-2', 2, 1],
  ],
}

const WHOLE: Shape = ['', 6, 2]

/** Maximum width of the mosaic: the screen, or a column of text (max-w-2xl). */
const COLUMN = 672
const RATIO = 16 / 9

/** Width that an image needs, including what is cropped at its sides. */
function sizesOf(asset: PostAsset, [, columns, rows]: Shape, ratio: number): string {
  const share = Math.max(columns / 6, (rows / 2 / ratio) * aspectOf(asset))
  return `${Math.ceil(share * 100)}vw md:${Math.ceil(share * COLUMN)}px`
}

interface PhotoMosaicProps {
  assets: readonly PostAsset[]
  onOpen: (id: string) => void
  /** Each photo can be selected on its own. */
  selectable?: boolean
}

/** Up to five photos; the last one counts the rest. A single photo keeps its aspect ratio. The parts of one item are one photo. */
export function PhotoMosaic({ assets: given, onOpen, selectable = false }: PhotoMosaicProps) {
  const assets = useAtomValue(asTilesAtom)(given)
  const shown = assets.slice(0, MAX_CELLS)
  const more = assets.length - shown.length
  const [only] = shown
  if (!only) return null
  const cells = SHAPES[shown.length] ?? []
  const single = shown.length === 1 && only.width !== null && only.height !== null
  const ratio = single ? Math.min(2.4, Math.max(0.9, aspectOf(only))) : RATIO
  return (
    <div style={{ aspectRatio: ratio }} className="grid grid-cols-6 grid-rows-2 gap-0.5 overflow-hidden">
      {shown.map((asset, index) => {
        const shape = cells[index] ?? WHOLE
        const cell = { asset, onOpen, sizes: sizesOf(asset, shape, ratio), more: index === shown.length - 1 ? more : 0 }
        const position = cx('relative min-h-0', shape[0])
        return selectable ? (
          <SelectableCell key={asset.id} {...cell} className={position} />
        ) : (
          <Cell key={asset.id} {...cell} className={cx('overflow-hidden', position)} />
        )
      })}
    </div>
  )
}

interface CellProps {
  asset: PostAsset
  /** Number of photos that are not shown. */
  more: number
  /** As for responsiveSources. */
  sizes: string
  className?: string | undefined
  selectable?: boolean
  onOpen: (id: string) => void
}

function SelectableCell({ className, ...cell }: CellProps) {
  const { id, alt, name } = cell.asset
  const selected = useIsSelected(id)
  return (
    <div data-selectable={id} className={cx('group/selectable grid overflow-hidden', className)}>
      <Cell {...cell} selectable className={cx('relative min-h-0 overflow-hidden', selected && SELECTED)} />
      <SelectionCheck id={id} name={alt || name} className="top-2 start-2" />
    </div>
  )
}

function Cell({ asset, more, sizes, className, selectable = false, onOpen }: CellProps) {
  return (
    <button
      type="button"
      {...(selectable ? { 'data-select-open': '' } : {})}
      aria-label={joined([
        t`Open ${asset.alt || asset.name}`,
        markOf(asset)?.label,
        more > 0 && t`${plural(more, { one: '# more', other: '# more' })}`,
      ])}
      onClick={() => onOpen(asset.id)}
      className={cx('focus-visible:z-10 focus-visible:-outline-offset-2', className)}
    >
      <MosaicFace asset={asset} sizes={sizes} />
      {more > 0 && (
        <span
          aria-hidden="true"
          dir="ltr"
          className="absolute inset-0 grid place-items-center bg-black/60 text-lg font-semibold tabular-nums text-white"
        >
          +{numberText(more)}
        </span>
      )}
    </button>
  )
}

function MosaicFace({ asset, sizes }: { asset: PostAsset; sizes: string }) {
  const picture = responsiveSources(asset, sizes)
  if (picture.sources.length === 0) return <FileFace asset={asset} />
  return (
    <>
      <PassingImage {...picture} alt="" thumbhash={asset.thumbhash} frameClassName="size-full" />
      <PlayMark type={asset.type} />
      <PartsMark asset={asset} />
    </>
  )
}
