import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { daysIn } from '../calendar/days.ts'
import { type DayItems, dayIndex } from '../content/days.ts'
import { imageSources } from '../media.ts'

/** A day of an earlier year on today's date. */
export interface Anniversary {
  day: string
  years: number
  posts: readonly Post[]
  assets: readonly Asset[]
  cover: Asset | Post['assets'][number] | undefined
}

/**
 * Days of earlier years on the date of `today` (`YYYY-MM-DD`), the latest first. In years without 29 February, that day is remembered on the
 * 28th.
 */
export function onThisDay(days: readonly DayItems[], today: string): Anniversary[] {
  const year = Number(today.slice(0, 4))
  const dates = today.endsWith('-02-28') && daysIn(today.slice(0, 7)) === 28 ? ['-02-29', '-02-28'] : [today.slice(4)]
  const first = Number(days.findLast(({ day }) => day !== null)?.day?.slice(0, 4) ?? year)
  const found: Anniversary[] = []
  for (let years = 1; years <= year - first; years++) {
    for (const date of dates) {
      const day = `${String(year - years).padStart(4, '0')}${date}`
      const items = days[dayIndex(days, day)]
      if (items?.day !== day) continue
      const [posts, assets] = [items.posts.filter(hasDay), items.assets.filter(hasDay)]
      if (posts.length + assets.length > 0) found.push({ day, years, posts, assets, cover: coverOf({ posts, assets }) })
    }
  }
  return found
}

/** Of a month or a year alone, the first day stands for all of it. */
const hasDay = ({ date_precision: precision }: Post | Asset) => precision === 'minute' || precision === 'day'

function coverOf({ posts, assets }: Pick<DayItems, 'posts' | 'assets'>): Anniversary['cover'] {
  return [...posts.flatMap((post) => post.assets), ...assets].find((asset) => imageSources(asset, 'thumb').length > 0)
}
