import type { FeedItem, FeedThread } from '../../../contract/feed.ts'
import { kindOf } from '../media.ts'

const number = new Intl.NumberFormat('en')
const counted = (count: number, one: string) =>
  count === 1 ? `${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}` : `${number.format(count)} ${one}s`

/** New content of a group: `42 photos`, `a note`, `3 photos and videos`. */
export function contentText({ kind, count, photos, videos, samples }: FeedItem): string {
  if (kind === 'post') {
    const type = samples[0]?.type
    // The type is known for the samples only.
    return counted(count, samples.length === count && type && samples.every((sample) => sample.type === type) ? type : 'post')
  }
  if (photos === count) return counted(count, 'photo')
  if (videos === count) return counted(count, 'video')
  if (photos + videos === count) return `${number.format(count)} photos and videos`
  return photos + videos === 0 ? counted(count, 'file') : `${number.format(count)} photos and files`
}

/** `Ana`, `Ana and Ben`, `Ana, Ben and Cy`, `Ana, Ben and 3 others`. */
export function namesOf(names: readonly string[]): string {
  const shown = names.length > 3 ? [...names.slice(0, 2), `${number.format(names.length - 2)} others`] : names
  return [shown.slice(0, -1).join(', '), shown.at(-1)].filter(Boolean).join(' and ')
}

const NOUNS = { photo: 'photo', video: 'video', audio: 'recording', file: 'file' }

/** `photo`, `note`. */
export const nounOf = ({ item, type }: Pick<FeedThread, 'item' | 'type'>) => (item.kind === 'post' ? type : NOUNS[kindOf(type)])

/** What happened in an entry of comments, after the name of who wrote the newest: `and 2 others commented on your photo and mentioned you in`. */
export function commentedText({ thread, comment }: Pick<FeedItem, 'thread' | 'comment'>): string {
  const { others = 0, mentioned = false, own = false } = comment ?? {}
  const noun = thread ? nounOf(thread) : 'post'
  const what = own ? `your ${noun}` : counted(1, noun)
  if (others === 0) return mentioned ? `mentioned you in a comment on ${what} in` : `commented on ${what} in`
  const who = others === 1 ? 'and 1 other' : `and ${number.format(others)} others`
  return `${who} commented on ${what}${mentioned ? ' and mentioned you' : ''} in`
}
