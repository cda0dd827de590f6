import { useAtomValue, useStore } from 'jotai'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { say } from '#language'
import { plural, t } from '#say'
import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { contentAtom, postsAtom } from '../../atoms/content.ts'
import { narrowingQueryAtom, peopleAtom, visibleAssetsAtom, visiblePostsAtom } from '../../atoms/filters.ts'
import { coveredPartsAtom, tilesAtom } from '../../atoms/tiles.ts'
import { dayKeyOf } from '../../lib/content/order.ts'
import { daysWithin, parseWhen, type When } from '../../lib/dates/query.ts'
import { formatMonth, formatWhen } from '../../lib/dates/text.ts'
import { findWord, type Names, searchTextOf, textMatches, wordsOf } from '../../lib/filters/text.ts'
import { fold } from '../../lib/fold.ts'
import { collectionLink } from '../../lib/links.ts'
import { type CollectionView, VIEWS } from '../../view-table.ts'
import { postIcon } from '../item-icons.ts'
import type { Command } from './command.ts'

/** Maximum number per kind; more can be found in the view's search. */
const MAX_PER_KIND = 6

/** Posts, photos and dates of the open collection that match the query, newest first. */
export function useItemCommands(query: string): Command[] {
  const store = useStore()
  const navigate = useNavigate()
  const { collectionId } = useAtomValue(contentAtom)
  const [posts, assets] = [useAtomValue(postsAtom), useAtomValue(tilesAtom)]
  const people = useAtomValue(peopleAtom)
  const partsOf = useAtomValue(coveredPartsAtom)
  return useMemo(() => {
    const words = wordsOf(query)
    if (!collectionId || words.length === 0) return []
    const names: Names = new Map(people?.map(({ id, name }) => [id, fold(name)]))
    // Filters stay unless they hide the chosen item.
    const go = (view: CollectionView, rest: string, hidden: boolean) =>
      void navigate(collectionLink(view, collectionId, (hidden ? '' : store.get(narrowingQueryAtom)) + rest))
    const openPost = (post: Post) => go('timeline', `&item=${post.id}#post-${post.id}`, !store.get(visiblePostsAtom).includes(post))
    const openAsset = (asset: Asset) => go('media', `&item=${asset.id}`, !store.get(visibleAssetsAtom).includes(asset))
    return [
      ...datesOf(query, store.get(visiblePostsAtom), store.get(visibleAssetsAtom)).map((date) => ({
        ...date,
        run: () => go(date.view, date.rest, false),
      })),
      ...titledFirst(posts, words, names).map((post) => ({ ...lineOf(post), run: () => openPost(post) })),
      ...firstOf(assets, (asset) => textMatches(asset, words, names, partsOf(asset))).map((asset) => ({
        ...tileOf(asset),
        run: () => openAsset(asset),
      })),
    ]
  }, [query, collectionId, posts, assets, partsOf, people, navigate, store])
}

/** Posts that match in the title, then those that match anywhere. */
function titledFirst(posts: readonly Post[], words: readonly string[], names: Names): Post[] {
  const [titled, others]: [Post[], Post[]] = [[], []]
  for (const post of posts) {
    if (titled.length === MAX_PER_KIND) break
    if (!textMatches(post, words, names)) continue
    const end = fold(post.title).length
    const inTitle = words.every((word) => {
      const at = findWord(searchTextOf(post), word)
      return at >= 0 && at < end
    })
    if (inTitle) titled.push(post)
    else if (others.length < MAX_PER_KIND) others.push(post)
  }
  return [...titled, ...others].slice(0, MAX_PER_KIND)
}

function firstOf(assets: readonly Asset[], matches: (asset: Asset) => boolean): Asset[] {
  const found: Asset[] = []
  for (const asset of assets) {
    if (matches(asset)) found.push(asset)
    if (found.length === MAX_PER_KIND) break
  }
  return found
}

type Line = Omit<Command, 'run'>

function lineOf(post: Post): Line {
  const icon = postIcon(post.type)
  return { id: post.id, group: 'posts', label: post.title, hint: hintOf(post), face: { icon } }
}

function tileOf(asset: Asset): Line {
  return { id: asset.id, group: 'files', label: asset.alt ?? asset.name, hint: hintOf(asset), face: { asset } }
}

function hintOf(item: Post | Asset): string {
  return [
    item.location?.name,
    item.date === null ? null : formatWhen({ ...item, date_precision: item.date_precision === 'minute' ? 'day' : item.date_precision }),
  ]
    .filter(Boolean)
    .join(' · ')
}

function datesOf(query: string, posts: readonly Post[], assets: readonly Asset[]) {
  const when = parseWhen(query)
  if (when === null) return []
  return VIEWS.flatMap(({ view, label, icon, shows, dateQueryOf }) => {
    if (!dateQueryOf) return []
    const items = shows === 'assets' ? assets : [...posts, ...assets]
    const { count, newest } = daysWithin(when, items.map(dayKeyOf))
    if (newest === null) return []
    const exact = when.startsWith('--') ? newest.slice(0, 7) : when
    const line: Line = {
      id: `${view} ${exact}`,
      group: 'dates',
      label: t`${{ date: nameOf(exact) }} in ${{ view: say(label) }}`,
      hint: t`${plural(count, { one: '# item', other: '# items' })}`,
      face: { icon },
    }
    return [{ ...line, view, rest: dateQueryOf(exact, newest) }]
  })
}

function nameOf(when: When): string {
  if (when.length === 4) return when
  if (when.length === 7) return formatMonth(when)
  return formatWhen({ date: `${when}T00:00:00Z`, date_zone: 'UTC', date_precision: 'day' })
}
