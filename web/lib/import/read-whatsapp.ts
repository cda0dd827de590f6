import { LIMITS } from '../../../contract/limits.ts'
import { fitLine, fitText, momentOfWall } from '../../../contract/photos/fit.ts'
import { escapeHtml } from '../../../contract/text.ts'
import { localZone } from '../dates/zones.ts'
import { withoutArchiveEnding } from './archive-name.ts'
import { notesOf } from './chat-day.ts'
import { whenAt } from './entry-posts.ts'
import { folderOf, nameIn, prefixOf } from './paths.ts'
import { beginReading, endReading, takeFile, textOf } from './sources.ts'
import type { ChatMessage, Found, FoundFile, FoundFiles, PlannedAsset, Reading, ReadOptions } from './types.ts'
import { beginsAsChat, type Message, readMessages } from './whatsapp-messages.ts'

const MAX_CHAT = 64 * 1024 * 1024
const NAMED = /^_chat\.txt$|whatsapp/i

/**
 * Chats that WhatsApp exports: a text with the messages, and the files that were sent beside it. The messages of a day become a note, each with
 * the name of who wrote it. Null for other files. `title` is the name of what was given.
 */
export async function readWhatsApp({ files }: FoundFiles, title: string, { signal, onProgress }: ReadOptions): Promise<Found | null> {
  const texts = files.filter(({ path, size }) => size < MAX_CHAT && /^(?:[^/]*\/)?[^/]+\.txt$/i.test(path))
  const chats: { file: FoundFile; messages: Message[] }[] = []
  for (const file of texts) {
    signal.throwIfAborted()
    const text = await textOf(file, MAX_CHAT).catch(() => '')
    // The name is in the language of the phone.
    const messages = NAMED.test(nameIn(file.path)) || beginsAsChat(text) ? readMessages(text) : []
    if (messages.length > 0) chats.push({ file, messages })
  }
  if (chats.length === 0) return null
  const found = beginReading(chats.map(({ file }) => file))
  for (const [at, { file, messages }] of chats.entries()) {
    onProgress(at / chats.length)
    const folder = prefixOf(file.path)
    const beside = files.filter(({ path, archive }) => archive === file.archive && path.startsWith(folder))
    readChat(messages, new Map(beside.map((medium) => [medium.path.slice(folder.length), medium])), nameOfChat(file, title), found)
  }
  return { format: 'whatsapp', title, ...endReading(found, files) }
}

function readChat(messages: readonly Message[], media: ReadonlyMap<string, FoundFile>, title: string, found: Reading): void {
  for (const [day, ofDay] of Map.groupBy(messages, ({ wall }) => wall.slice(0, 10))) {
    const read = ofDay.map((message) => withFiles(message, media, found))
    const notes = notesOf({ key: `whatsapp ${title} ${day}`, day, title, messages: read })
    found.posts.push(...notes)
    for (const { pictures } of notes) found.assets.push(...pictures)
  }
}

/** The name of a chat, from that of its text or of what holds it. A second download is called `Chat (1)`. */
function nameOfChat({ path, archive = '' }: FoundFile, title: string): string {
  const name = nameIn(path)
  const named = /^_chat\.txt$/i.test(name) ? nameIn(folderOf(path)) || nameIn(archive) || title : name
  return (
    withoutArchiveEnding(named.replace(/\.txt$/i, ''))
      .replace(/\s*\(\d+\)$/, '')
      .trim() || title
  )
}

/** `<attached: IMG.jpg>` of iOS and `IMG.jpg (file attached)` of Android, in any language. */
const ATTACHED = /<[^<>:\n]{1,40}:\s([^<>\n]{1,200})>|^(\S[^\n]{0,200}?\.[a-z0-9]{1,5})(?: \([^()\n]{1,60}\))$/gimu

function withFiles({ wall, sender, text }: Message, media: ReadonlyMap<string, FoundFile>, found: Reading): ChatMessage {
  const pictures: PlannedAsset[] = []
  const words = text.replace(ATTACHED, (whole, apple?: string, android?: string) => {
    const name = (apple ?? android ?? '').trim()
    const file = media.get(name) ?? media.get(name.normalize('NFC')) ?? media.get(name.normalize('NFD'))
    if (!file && !(apple && /\.[a-z0-9]{1,5}$/i.test(name))) return whole
    const taken = takeFile(file, name, found)
    if (taken) pictures.push(assetOf(taken, wall))
    return ''
  })
  const lines = escapeHtml(fitText(words).trim()).replaceAll('\n', '<br>')
  const names = escapeHtml(pictures.map(({ name }) => `📎 ${name}`).join(', '))
  const html = lines || names ? `<p><strong>${escapeHtml(fitLine(sender, LIMITS.personName))}</strong>: ${lines || names}</p>` : ''
  return { wall, html, pictures }
}

/** WhatsApp removes date and place from photos. */
function assetOf(file: FoundFile, wall: string): PlannedAsset {
  const when = whenAt(momentOfWall(wall, localZone()), localZone())
  return { file, name: nameIn(file.path), overrides: { exactly: false, onlyMissing: true, ...when, location: null, alt: null }, people: [] }
}
