import { LIMITS } from '../../../contract/limits.ts'
import { fitLine, fitMoment, fitText } from '../../../contract/photos/fit.ts'
import { escapeHtml } from '../../../contract/text.ts'
import { formatOffset, offsetOfWall } from '../../../contract/zones.ts'
import { formatWhen } from '../dates/text.ts'
import { localZone } from '../dates/zones.ts'
import { textOf, unstorable } from './sources.ts'
import type { Found, FoundFile, FoundFiles, PlannedAsset, PlannedPost, ReadOptions, Refused } from './types.ts'
import { type Message, readMessages } from './whatsapp-messages.ts'

const MAX_CHAT = 64 * 1024 * 1024

/**
 * Chats that WhatsApp exports: a text with the messages, and the files that were sent beside it. The messages of a day become a note, each with
 * the name of who wrote it. Null for other files. `title` is the name of what was given.
 */
export async function readWhatsApp({ files }: FoundFiles, title: string, { signal, onProgress }: ReadOptions): Promise<Found | null> {
  const texts = files.filter(({ path, size }) => size < MAX_CHAT && /^(?:[^/]*\/)?(?:_chat|[^/]*whatsapp[^/]*)\.txt$/i.test(path))
  const chats: { file: FoundFile; messages: Message[] }[] = []
  for (const file of texts) {
    signal.throwIfAborted()
    const messages = readMessages(await textOf(file, MAX_CHAT).catch(() => ''))
    if (messages.length > 0) chats.push({ file, messages })
  }
  if (chats.length === 0) return null
  const found: Chats = { posts: [], assets: [], refused: [] }
  const sent = new Set<FoundFile>(chats.map(({ file }) => file))
  for (const [at, { file, messages }] of chats.entries()) {
    onProgress(at / chats.length)
    const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1)
    const named = file.path.slice(folder.length).replace(/\.txt$/i, '')
    const media = new Map(files.filter(({ path }) => path.startsWith(folder)).map((medium) => [medium.path.slice(folder.length), medium]))
    readChat(messages, media, named === '_chat' ? title : named, found)
  }
  for (const { file } of found.assets) sent.add(file)
  for (const file of files) if (!sent.has(file) && !unstorable(file)) found.assets.push({ file, name: nameOf(file), people: [] })
  return { format: 'whatsapp', title, ...found }
}

interface Chats {
  posts: PlannedPost[]
  assets: PlannedAsset[]
  refused: Refused[]
}

const nameOf = ({ path }: FoundFile) => path.split('/').at(-1) ?? path

function readChat(messages: readonly Message[], media: ReadonlyMap<string, FoundFile>, title: string, found: Chats): void {
  const [first] = messages
  for (const [day, ofDay] of Map.groupBy(messages, ({ wall }) => wall.slice(0, 10))) {
    const read = ofDay.map((message) => withFiles(message, media, found.refused))
    const parts = partsOf(read)
    for (const [i, part] of parts.entries()) {
      const key = `whatsapp ${first?.wall} ${first?.sender} ${day}${i > 0 ? ` ${i}` : ''}`
      const post = postOf(part, { day, key, title: `${title}${parts.length > 1 ? ` (${i + 1} of ${parts.length})` : ''}` })
      if (!post) continue
      found.posts.push(post)
      found.assets.push(...post.pictures)
    }
  }
}

/** A message as HTML with the files that were sent with it. */
interface Read {
  wall: string
  html: string
  pictures: PlannedAsset[]
}

/** `<attached: IMG.jpg>` of iOS and `IMG.jpg (file attached)` of Android, in any language. */
const ATTACHED = /<[^<>:\n]{1,40}:\s([^<>\n]{1,200})>|^(\S[^\n]{0,200}?\.[a-z0-9]{1,5})(?: \([^()\n]{1,60}\))$/gimu

function withFiles({ wall, sender, text }: Message, media: ReadonlyMap<string, FoundFile>, refused: Refused[]): Read {
  const pictures: PlannedAsset[] = []
  const words = text.replace(ATTACHED, (whole, apple?: string, android?: string) => {
    const name = (apple ?? android ?? '').trim()
    const file = media.get(name) ?? media.get(name.normalize('NFC')) ?? media.get(name.normalize('NFD'))
    const reason = file ? unstorable(file) : 'Its file is not in the export'
    if (file && !reason) pictures.push(assetOf(file, wall))
    else if (apple ? /\.[a-z0-9]{1,5}$/i.test(name) : file) refused.push({ name, reason: reason ?? '' })
    else return whole
    return ''
  })
  const lines = escapeHtml(fitText(words).trim()).replaceAll('\n', '<br>')
  const names = escapeHtml(pictures.map(({ name }) => `📎 ${name}`).join(', '))
  const html = lines || names ? `<p><strong>${escapeHtml(fitLine(sender, LIMITS.personName))}</strong>: ${lines || names}</p>` : ''
  return { wall, html, pictures }
}

function momentOf(wall: string): string | null {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = wall.split(/\D/).map(Number)
  return fitMoment(`${wall}${formatOffset(offsetOfWall({ year, month, day, hour, minute, second }, localZone()))}`)
}

/** WhatsApp removes date and place from photos. */
function assetOf(file: FoundFile, wall: string): PlannedAsset {
  const date = momentOf(wall)
  const when = { date, dateZone: date && localZone(), datePrecision: date ? ('minute' as const) : ('unknown' as const) }
  return { file, name: nameOf(file), overrides: { exactly: false, onlyMissing: true, ...when, location: null, alt: null }, people: [] }
}

/** A day with more words or files than a post may have becomes several posts. */
function partsOf(messages: readonly Read[]): Read[][] {
  const parts: Read[][] = []
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

function postOf(messages: readonly Read[], { day, key, title }: { day: string; key: string; title: string }): PlannedPost | null {
  const pictures = [...new Map(messages.flatMap((message) => message.pictures).map((picture) => [picture.file, picture])).values()]
  const body = messages.map(({ html }) => html).join('')
  const date = momentOf(messages[0]?.wall ?? '')
  if (!date || (body === '' && pictures.length === 0)) return null
  const shown = formatWhen({ date: `${day}T12:00:00Z`, date_zone: 'UTC', date_precision: 'day' })
  return {
    key,
    fields: {
      ...{ type: 'note', kind: 'journal', title: fitLine(`${title}, ${shown}`, LIMITS.postTitle), body },
      ...{ date, dateZone: localZone(), datePrecision: 'day', location: null },
    },
    pictures,
    people: [],
  }
}
