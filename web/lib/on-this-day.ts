import type { Asset } from '../../contract/assets.ts'
import type { Post } from '../../contract/posts.ts'
import type { DayItems } from './content-days.ts'
import { pictureSources } from './media.ts'

/** A day of an earlier year with the date of today. */
export interface Anniversary {
  day: string
  years: number
  posts: readonly Post[]
  assets: readonly Asset[]
  cover: Asset | Post['assets'][number] | undefined
}

/** What happened on `today` (`YYYY-MM-DD`) in earlier years, the latest first. */
export function onThisDay(days: readonly DayItems[], today: string): Anniversary[] {
  const ofToday = today.slice(4)
  const year = Number(today.slice(0, 4))
  return days.flatMap(({ day, posts, assets }) =>
    day?.endsWith(ofToday) && day < today
      ? { day, years: year - Number(day.slice(0, 4)), posts, assets, cover: coverOf({ posts, assets }) }
      : [],
  )
}

function coverOf({ posts, assets }: Pick<DayItems, 'posts' | 'assets'>): Anniversary['cover'] {
  return [...posts.flatMap((post) => post.assets), ...assets].find((asset) => pictureSources(asset, 'thumb').length > 0)
}
