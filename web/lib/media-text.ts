import { plural, t } from '#say'
import type { MediaKind } from './media.ts'

/** `1:05` or `1:02:03` for seconds. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (n: number) => String(n).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

const COUNTS = {
  photo: (count: number) => t`${plural(count, { one: '# photo', other: '# photos' })}`,
  video: (count: number) => t`${plural(count, { one: '# video', other: '# videos' })}`,
  audio: (count: number) => t`${plural(count, { one: '# recording', other: '# recordings' })}`,
  file: (count: number) => t`${plural(count, { one: '# file', other: '# files' })}`,
  post: (count: number) => t`${plural(count, { one: '# post', other: '# posts' })}`,
  event: (count: number) => t`${plural(count, { one: '# event', other: '# events' })}`,
  note: (count: number) => t`${plural(count, { one: '# note', other: '# notes' })}`,
  item: (count: number) => t`${plural(count, { one: '# item', other: '# items' })}`,
}

/** `1 photo`, `12 posts`. */
export const countText = (count: number, kind: keyof typeof COUNTS) => COUNTS[kind](count)

/** `1 photo`, `12 videos`, or `7 items` for a mixture. */
export function countOf(kinds: Iterable<MediaKind>): string {
  const seen = new Map<MediaKind, number>()
  for (const kind of kinds) seen.set(kind, (seen.get(kind) ?? 0) + 1)
  return textOf(seen)
}

export function textOf(seen: ReadonlyMap<MediaKind, number>): string {
  const total = [...seen.values()].reduce((sum, count) => sum + count, 0)
  const only = seen.size === 1 ? [...seen.keys()][0] : undefined
  return countText(total, only ?? 'item')
}
