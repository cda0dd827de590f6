import { joined, joinedParts, listText } from '#language'
import { plural, t } from '#say'
import { isPost } from '../content/is-post.ts'
import { kindOf } from '../media.ts'
import { countOf, countText } from '../media-text.ts'
import type { Item, Plan } from './plan.ts'

/** The title of a post, or the description of a file, which may only have its name. */
export const nameOfItem = (item: Item) => (isPost(item) ? item.title : item.alt || item.name)

/** `12 photos, 3 posts`; more than three kinds are `24 items`. */
export const itemsText = (items: readonly Item[]) => joined(partsOf(items))

/** The same inside a sentence: `12 photos and 3 posts`. */
export const itemsPhrase = (items: readonly Item[]) => listText(partsOf(items))

function partsOf(items: readonly Item[]): string[] {
  const assets = items.flatMap((item) => (isPost(item) ? [] : [kindOf(item.type)]))
  const posts = items.length - assets.length
  const kinds = [...new Set(assets)].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
  const parts = kinds.map((kind) => countOf(assets.filter((other) => other === kind)))
  if (posts > 0) parts.push(countText(posts, 'post'))
  return parts.length > 3 || parts.length === 0 ? [itemCount(items.length)] : parts
}
const ORDER = ['photo', 'video', 'audio', 'file']

export const itemCount = (count: number) => countText(count, 'item')

/** `24 items: 3 May 2019 → 4 May 2019, 2 already there; 3 cannot be changed by you – they stay as they are` */
export function previewText(plan: Plan, what = plan.from && t`${{ from: plan.from }} → ${{ to: plan.to }}`): string {
  const { change, already } = plan
  const there = already > 0 ? t`${plural(already, { one: '# already there', other: '# already there' })}` : ''
  const count = itemCount(change.length)
  const head = change.length === 0 ? t`Nothing changes` : what ? t`${{ items: count }}: ${{ change: what }}` : count
  return joinedParts([joined([head, there]), ...skippedTexts(plan)])
}

/** Selected items that do not change, and why. */
export function skippedTexts({ denied, undated, beyond }: Pick<Plan, 'denied' | 'undated' | 'beyond'>): string[] {
  return [
    denied > 0 &&
      t`${plural(denied, {
        one: '# cannot be changed by you – it stays as it is',
        other: '# cannot be changed by you – they stay as they are',
      })}`,
    undated > 0 && t`${plural(undated, { one: '# without a date – it stays so', other: '# without a date – they stay so' })}`,
    beyond > 0 &&
      t`${plural(beyond, {
        one: '# would leave the calendar – it stays as it is',
        other: '# would leave the calendar – they stay as they are',
      })}`,
  ].filter((text) => text !== false)
}

/** `3 days and 2 hours later` for a shift. */
export function shiftText({ days = 0, minutes = 0 }: { days?: number | undefined; minutes?: number | undefined }): string {
  const [wholeDays, hours, rest] = [Math.abs(days), Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const time = listText([
    ...(wholeDays > 0 ? [t`${plural(wholeDays, { one: '# day', other: '# days' })}`] : []),
    ...(hours > 0 ? [t`${plural(hours, { one: '# hour', other: '# hours' })}`] : []),
    ...(rest > 0 ? [t`${plural(rest, { one: '# minute', other: '# minutes' })}`] : []),
  ])
  return days < 0 || minutes < 0 ? t`${time} earlier` : t`${time} later`
}
