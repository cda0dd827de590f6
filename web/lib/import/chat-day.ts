import { t } from '#say'
import { LIMITS } from '../../../contract/limits.ts'
import { fitLine, momentOfWall } from '../../../contract/photos/fit.ts'
import type { Post } from '../../../contract/posts.ts'
import { formatWhen } from '../dates/text.ts'
import { localZone } from '../dates/zones.ts'
import { decodeEntities } from './entities.ts'
import type { ChatDay, ChatMessage, PlannedPost } from './types.ts'

/** Note of a chat that is in the collection already. */
export type ChatNote = Pick<Post, 'body' | 'version'>

/** The messages of a day as notes: several if they are more words or files than a post may have. `more`: others are in the collection. */
export function notesOf(chatDay: ChatDay, messages: readonly ChatMessage[] = chatDay.messages, more = false): PlannedPost[] {
  const parts = partsOf(messages)
  const shown = formatWhen({ date: `${chatDay.day}T12:00:00Z`, date_zone: 'UTC', date_precision: 'day' })
  return parts.flatMap((part, i) => {
    const pictures = [...new Map(part.flatMap((message) => message.pictures).map((picture) => [picture.file, picture])).values()]
    const body = part.map(({ html }) => html).join('')
    const date = momentOfWall(part[0]?.wall ?? '', localZone())
    if (!date || (body === '' && pictures.length === 0)) return []
    const name = more ? t`${chatDay.title} (continued)` : chatDay.title
    const title = `${parts.length > 1 ? t`${name} (${i + 1} of ${parts.length})` : name}, ${shown}`
    const when = { date, dateZone: localZone(), datePrecision: 'day' as const, location: null }
    const fields = { type: 'note' as const, kind: 'journal' as const, title: fitLine(title, LIMITS.postTitle), body, ...when }
    return [{ key: chatDay.key, fields, pictures, people: [], chatDay }]
  })
}

function partsOf(messages: readonly ChatMessage[]): ChatMessage[][] {
  const parts: ChatMessage[][] = []
  let [length, pictures] = [0, 0]
  for (const message of messages) {
    length += message.html.length
    pictures += message.pictures.length
    const last = parts.at(-1)
    if (last && length <= LIMITS.postBody && pictures <= LIMITS.assetsPerPost) last.push(message)
    else {
      parts.push([message])
      length = message.html.length
      pictures = message.pictures.length
    }
  }
  return parts
}

/**
 * Messages that none of the notes of their day has: a later export has more of it. Of notes that somebody edited, what is missing between known
 * messages may have been removed, so only earlier and later ones count.
 */
export function messagesNotIn(notes: readonly ChatNote[], { messages }: ChatDay): ChatMessage[] {
  const texts = notes.flatMap(({ body }) => body.split('</p>').map(plain))
  let from = 0
  const known = messages.map(({ html }) => {
    const at = html === '' ? from - 1 : texts.indexOf(plain(html), from)
    from = Math.max(from, at + 1)
    return html === '' || at >= 0
  })
  if (notes.every(({ version }) => version === 1)) return messages.filter((_, i) => !known[i])
  const [first, last] = [known.indexOf(true), known.lastIndexOf(true)]
  return messages.filter((_, i) => i < first || i > last)
}

/** The words of a paragraph, which an editor may have written with other elements. */
function plain(html: string): string {
  const words = html.replace(/<br[^<>]*>/g, ' ').replace(/<[^<>]*>/g, '')
  return decodeEntities(words).normalize('NFC').replace(/\s+/g, ' ').trim()
}
