import type { Asset } from '../../../contract/assets.ts'
import { MEDIA_KINDS } from '../../../contract/media-kinds.ts'
import type { Arrangement } from '../../atoms/media-options.ts'
import { type ContentDays, type DayItems, dayIndex } from '../../lib/content/days.ts'
import { rowsById } from '../../lib/content/merge.ts'
import { dayKeyOf } from '../../lib/content/order.ts'
import { aspectOf, imageSources, kindOf, type MediaKind } from '../../lib/media.ts'
import { memoizeByObject } from '../../lib/memoize-by-object.ts'
import { ASPECT, emptyLayout, type JustifiedOptions, layoutJustified, type TileLayout } from '../../lib/photos/justified.ts'
import { layoutMasonry } from '../../lib/photos/masonry.ts'
import type { ListLayout } from '../../lib/scroll/anchor.ts'
import type { Mark } from '../../lib/scroll/scrub-marks.ts'
import { tilesBetween } from '../../lib/scroll/tile-window.ts'

/** Newest first. */
export interface Day {
  /** `YYYY-MM-DD`, or null for items without a date. */
  day: string | null
  items: readonly Asset[]
}

export interface MediaModel {
  /** In content order. */
  assets: readonly Asset[]
  /** In grid order, day by day. */
  order: Asset[]
  days: Day[]
  /** Index in `order` of each day's first asset. */
  starts: number[]
  aspects: Float32Array
}

/** All data of the grid that does not depend on its width. */
export function modelOf({ days: all, assets }: Pick<ContentDays, 'days' | 'assets'>): MediaModel {
  const order = new Array<Asset>(assets.length)
  const days: Day[] = []
  const starts: number[] = []
  const aspects = new Float32Array(assets.length)
  let at = 0
  for (const items of all) {
    if (items.assets.length === 0) continue
    const facts = factsOf(items)
    days.push(facts.day)
    starts.push(at)
    aspects.set(facts.aspects, at)
    for (const asset of items.assets) order[at++] = asset
  }
  return { assets, order, days, starts, aspects }
}

/** Precomputed values by day, as plain arrays, because there may be thousands of days. */
interface Facts {
  day: Day
  aspects: readonly number[]
  /** Counts in the order of MEDIA_KINDS. */
  kinds: readonly number[]
}

const factsOf = memoizeByObject(({ day, assets }: DayItems): Facts => {
  const kinds = MEDIA_KINDS.map(() => 0)
  for (const { type } of assets) {
    const kind = MEDIA_KINDS.indexOf(kindOf(type))
    kinds[kind] = (kinds[kind] ?? 0) + 1
  }
  const aspects = assets.map((asset) => Math.min(ASPECT.most, Math.max(ASPECT.least, aspectOf(asset))))
  return { day: { day, items: assets }, aspects, kinds }
})

/** The number of items of each kind that occurs. */
export function kindsIn(days: readonly DayItems[]): Map<MediaKind, number> {
  const all = MEDIA_KINDS.map(() => 0)
  for (const items of days) {
    if (items.assets.length === 0) continue
    const { kinds } = factsOf(items)
    for (let kind = 0; kind < all.length; kind++) all[kind] = (all[kind] ?? 0) + (kinds[kind] ?? 0)
  }
  return new Map(MEDIA_KINDS.map((kind, nth): [MediaKind, number] => [kind, all[nth] ?? 0]).filter(([, count]) => count > 0))
}

/** Height of a day's heading in pixels. */
const HEADING = 44
/** Below this width in pixels the grid uses the phone layout. */
const NARROW = 640

function optionsFor(width: number): JustifiedOptions {
  const shared = { width, headingHeight: HEADING, minDayWidth: 132 }
  return width < NARROW
    ? { ...shared, rowHeight: 120, gap: 3, bandGap: 12, dayGap: 14 }
    : { ...shared, rowHeight: 220, gap: 4, bandGap: 20, dayGap: 20, minDayWidth: 168 }
}

/** Approximate minimum page height for each photo in pixels, for the estimate before the layout is known. */
const MIN_PHOTO_HEIGHT = 25

const laidOut = new WeakMap<MediaModel, { width: number; arrangement: Arrangement; layout: TileLayout }>()

/** The last layout of each model is kept, for returning from another view. A width of 0 means that it is not known yet. */
export function layoutOf(model: MediaModel, width: number, arrangement: Arrangement): TileLayout {
  const last = laidOut.get(model)
  if (width === 0) return last?.layout ?? unknown(model)
  if (last?.width === width && last.arrangement === arrangement) return last.layout
  const layout = layOut(model, width, arrangement)
  laidOut.set(model, { width, arrangement, layout })
  return layout
}

/** Without a width no tile can be placed, but the page stays tall, so that it does not jump to its top; and low when all items fit on it. */
function unknown({ order }: MediaModel): TileLayout {
  return { ...emptyLayout(0), height: Math.min(100_000, order.length * MIN_PHOTO_HEIGHT) }
}

function layOut({ aspects, days }: MediaModel, width: number, arrangement: Arrangement): TileLayout {
  if (arrangement === 'masonry') return layoutMasonry(aspects, width)
  const counts = days.map((day) => day.items.length)
  return layoutJustified(aspects, counts, optionsFor(width))
}

/** The name of the location that all items share, or null. */
export function sharedLocationName(items: readonly Asset[]): string | null {
  const name = items[0]?.location?.name
  return name && items.every((item) => item.location?.name === name) ? name : null
}

/** Positions of the assets by id. */
export function listLayoutOf(model: MediaModel, layout: TileLayout): ListLayout {
  const { order } = model
  return {
    count: order.length,
    keyAt: (index) => order[index]?.id ?? '',
    topAt: (index) => layout.y[index] ?? 0,
    firstBelow: (top) => tilesBetween(layout, top, top + 1)[0],
    indexOf: (id) => indexOf(model, id),
    dayAt: (index) => {
      const asset = order[index]
      return asset ? dayKeyOf(asset) : null
    },
  }
}

/** Searches by day, because an index of all items takes long to build. */
function indexOf({ assets, days, starts }: MediaModel, id: string): number {
  const asset = rowsById(assets).get(id)
  const at = asset ? dayIndex(days, dayKeyOf(asset)) : -1
  const within = days[at]?.items.findIndex((item) => item.id === id) ?? -1
  return within < 0 ? -1 : (starts[at] ?? 0) + within
}

/** Months in grid order, with their number of items and their start. */
export function marksOf(days: readonly Day[], layout: TileLayout): Mark[] {
  const marks: Mark[] = []
  let start = 0
  for (const { day, items } of days) {
    const month = day?.slice(0, 7) ?? null
    let mark = marks.at(-1)
    if (mark?.month !== month || !mark) {
      mark = { month, count: 0, at: shareOf(layout, start) }
      marks.push(mark)
    }
    mark.count += items.length
    const photo = mark.photo ?? items.find((asset) => imageSources(asset, 'thumb').length > 0)
    if (photo) mark.photo = photo
    start += items.length
  }
  return marks
}

function shareOf({ y, height }: TileLayout, index: number): number {
  return height > 0 ? Math.max(0, (y[index] ?? 0) - HEADING) / height : 0
}
