import type { MediaKind } from './media.ts'

/** `1:05` or `1:02:03` for seconds. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (n: number) => String(n).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

const NOUNS: Record<MediaKind, [string, string]> = {
  photo: ['photo', 'photos'],
  video: ['video', 'videos'],
  audio: ['recording', 'recordings'],
  file: ['file', 'files'],
}

/** `1 photo`, `12 videos`, or `7 items` for a mixture. */
export function countOf(kinds: Iterable<MediaKind>): string {
  const seen = new Map<MediaKind, number>()
  for (const kind of kinds) seen.set(kind, (seen.get(kind) ?? 0) + 1)
  return textOf(seen)
}

export function textOf(seen: ReadonlyMap<MediaKind, number>): string {
  const total = seen.values().reduce((sum, count) => sum + count, 0)
  const only = seen.size === 1 ? [...seen.keys()][0] : undefined
  const [one, many] = only ? NOUNS[only] : ['item', 'items']
  return `${total.toLocaleString('en')} ${total === 1 ? one : many}`
}
