import { listText } from '#language'
import { plural, t } from '#say'
import type { FeedItem } from '../../../contract/feed.ts'

/** New content of a group: `42 photos`, `a note`, `3 photos and videos`. */
export function contentText({ kind, count, photos, videos, samples }: FeedItem): string {
  if (kind === 'post') {
    const type = samples[0]?.type
    // The type is known for the samples only.
    const known = samples.length === count && samples.every((sample) => sample.type === type) ? type : undefined
    if (known === 'event') return t`${plural(count, { one: 'an event', other: '# events' })}`
    if (known === 'note') return t`${plural(count, { one: 'a note', other: '# notes' })}`
    return t`${plural(count, { one: 'a post', other: '# posts' })}`
  }
  if (photos === count) return t`${plural(count, { one: 'a photo', other: '# photos' })}`
  if (videos === count) return t`${plural(count, { one: 'a video', other: '# videos' })}`
  if (photos + videos === count) return t`${plural(count, { other: '# photos and videos' })}`
  return photos + videos === 0
    ? t`${plural(count, { one: 'a file', other: '# files' })}`
    : t`${plural(count, { other: '# photos and files' })}`
}

/** `Ana`, `Ana and Ben`, `Ana, Ben and Cy`, `Ana, Ben and 3 others`. */
export function namesOf(names: readonly string[]): string {
  const more = names.length - 2
  return listText(more > 1 ? [...names.slice(0, 2), t`${plural(more, { one: '# other', other: '# others' })}`] : names)
}
