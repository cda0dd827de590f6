import { isPost } from '../content/is-post.ts'
import { kindOf } from '../media.ts'
import { countOf } from '../media-text.ts'
import type { Item, Plan } from './plan.ts'

/** `12 photos, 3 posts`; more than three kinds are `24 items`. */
export function itemsText(items: readonly Item[], between = ', '): string {
  const assets = items.flatMap((item) => (isPost(item) ? [] : [kindOf(item.type)]))
  const posts = items.length - assets.length
  const kinds = [...new Set(assets)].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
  const parts = kinds.map((kind) => countOf(assets.filter((other) => other === kind)))
  if (posts > 0) parts.push(`${posts.toLocaleString('en')} ${posts === 1 ? 'post' : 'posts'}`)
  if (parts.length > 3 || parts.length === 0) return itemCount(items.length)
  return parts.join(between)
}
const ORDER = ['photo', 'video', 'audio', 'file']

/** The same inside a sentence: `12 photos and 3 posts`. */
export function itemsPhrase(items: readonly Item[]): string {
  const text = itemsText(items)
  const last = text.lastIndexOf(', ')
  return last < 0 ? text : `${text.slice(0, last)} and ${text.slice(last + 2)}`
}

export function itemCount(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'item' : 'items'}`
}

/** `24 items: 3 May 2019 → 4 May 2019, 2 already there; 3 cannot be changed by you – they stay as they are` */
export function previewText(plan: Plan, what = plan.from && `${plan.from} → ${plan.to}`): string {
  const { change, already } = plan
  const there = already > 0 ? `${already.toLocaleString('en')} already there` : ''
  const head =
    change.length > 0 ? [what ? `${itemCount(change.length)}: ${what}` : itemCount(change.length), there] : ['Nothing changes', there]
  return [head.filter(Boolean).join(', '), ...skippedTexts(plan)].join('; ')
}

/** Selected items that do not change, and why. */
export function skippedTexts({ denied, undated, beyond }: Pick<Plan, 'denied' | 'undated' | 'beyond'>): string[] {
  return [
    denied > 0 && `${denied.toLocaleString('en')} cannot be changed by you – ${they(denied)} as ${denied === 1 ? 'it is' : 'they are'}`,
    undated > 0 && `${undated.toLocaleString('en')} without a date – ${they(undated)} so`,
    beyond > 0 && `${beyond.toLocaleString('en')} would leave the calendar – ${they(beyond)} as ${beyond === 1 ? 'it is' : 'they are'}`,
  ].filter((text) => text !== false)
}
const they = (count: number) => (count === 1 ? 'it stays' : 'they stay')

/** `3 days and 2 hours later` for a shift. */
export function shiftText({ days = 0, minutes = 0 }: { days?: number | undefined; minutes?: number | undefined }): string {
  const hours = Math.trunc(Math.abs(minutes) / 60)
  const parts = [some(Math.abs(days), 'day'), some(hours, 'hour'), some(Math.abs(minutes) % 60, 'minute')].filter(Boolean)
  const last = parts.pop()
  return `${parts.length > 0 ? `${parts.join(', ')} and ` : ''}${last} ${days < 0 || minutes < 0 ? 'earlier' : 'later'}`
}
const some = (count: number, unit: string) => (count === 0 ? '' : `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`)
