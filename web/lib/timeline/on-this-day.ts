import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
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

/** Days of earlier years on the date of `today` (`YYYY-MM-DD`), the latest first. */
export function onThisDay(days: readonly DayItems[], today: string): Anniversary[] {
  const [year, ofToday] = [Number(today.slice(0, 4)), today.slice(4)]
  const first = Number(days.findLast(({ day }) => day !== null)?.day?.slice(0, 4) ?? year)
  const found: Anniversary[] = []
  for (let years = 1; years <= year - first; years++) {
    const day = `${String(year - years).padStart(4, '0')}${ofToday}`
    const items = days[dayIndex(days, day)]
    if (items?.day === day) found.push({ day, years, posts: items.posts, assets: items.assets, cover: coverOf(items) })
  }
  return found
}

function coverOf({ posts, assets }: Pick<DayItems, 'posts' | 'assets'>): Anniversary['cover'] {
  return [...posts.flatMap((post) => post.assets), ...assets].find((asset) => imageSources(asset, 'thumb').length > 0)
}
