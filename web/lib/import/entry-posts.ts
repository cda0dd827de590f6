import { t } from '#say'
import { LIMITS } from '../../../contract/limits.ts'
import { fitLine, fitText } from '../../../contract/photos/fit.ts'
import { escapeHtml } from '../../../contract/text.ts'
import { formatWhen } from '../dates/text.ts'
import { decodeEntities } from './entities.ts'
import { htmlOfMarkdown } from './markdown.ts'
import type { PlannedAsset, PlannedPost } from './types.ts'

/** The number of assets in a post is limited; an entry with more becomes several posts. */
export function inPortions({ key, fields, people }: Omit<PlannedPost, 'pictures'>, pictures: readonly PlannedAsset[]): PlannedPost[] {
  const portions = Math.max(1, Math.ceil(pictures.length / LIMITS.assetsPerPost))
  return Array.from({ length: portions }, (_, i) => ({
    key: `${key}${i > 0 ? ` ${i}` : ''}`,
    fields: {
      ...fields,
      title: portions > 1 ? fitLine(t`${fields.title} (${i + 1} of ${portions})`, LIMITS.postTitle) : fields.title,
      body: i === 0 ? (fields.body ?? '') : '',
    },
    pictures: pictures.slice(i * LIMITS.assetsPerPost, (i + 1) * LIMITS.assetsPerPost),
    people,
  }))
}

export interface When {
  date: string | null
  dateZone: string | null
  datePrecision: 'day' | 'minute' | 'unknown'
}
type Day = Omit<When, 'datePrecision'>

/** Without a date, the zone says nothing. */
export function whenAt(date: string | null, zone: string | null, precision: 'day' | 'minute' = 'minute'): When {
  return { date, dateZone: date && zone, datePrecision: date ? precision : 'unknown' }
}

/** Characters; a longer first line belongs to the body. */
const MAX_TITLE = 90
/** Characters of a line that may become a title with its links and marks removed. */
const LONGEST = 2_000

/** Title and body of an entry in Markdown: the title is a heading or a short line at the start, otherwise the day. */
export function titleAndBody(markdown: string, when: Day): { title: string; body: string } {
  const plain = fitText(markdown).trim()
  const [first = '', ...rest] = plain.split('\n')
  const heading = /^#{1,6}\s+(.*)$/.exec(first)?.[1]
  const line = decodeEntities((heading ?? first).slice(0, LONGEST))
    .replace(/\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replace(/\\(.)/g, '$1')
    .replace(/[*_]{1,3}([^*_]+)[*_]{1,3}/g, '$1')
    .trim()
  const taken = line !== '' && (heading !== undefined || (line.length <= MAX_TITLE && !/^(?:[-*+>]|\d+\.)\s|^(?:```|\|)/.test(first)))
  return { title: titleOf(taken ? line : '', when), body: htmlOfMarkdown((taken ? rest.join('\n') : plain).trim()) }
}

/** The same for HTML, of which only the first block is looked at. */
export function titleAndHtml(html: string, when: Day): { title: string; body: string } {
  const words = fitText(html).trim()
  const [block = '', tag = '', inner = ''] = /^<(p|div|h[1-6])(?:\s[^<>]*)?>([\s\S]*?)<\/\1>/i.exec(words) ?? []
  const line = decodeEntities(inner.replace(/<[^<>]*>/g, '')).trim()
  const taken = line !== '' && line.length <= MAX_TITLE && (tag.toLowerCase() !== 'div' || !/<(?:p|div|ul|ol)\b/i.test(inner))
  return { title: titleOf(taken ? line : '', when), body: taken ? words.slice(block.length).trim() : words }
}

/** A title within the limit; the day of the entry if there is none. */
function titleOf(line: string, { date, dateZone }: Day): string {
  const day = date ? formatWhen({ date, date_zone: dateZone, date_precision: 'day' }) : t`Entry without a date`
  return fitLine(line, LIMITS.postTitle) || day
}

/** Tags as a last paragraph of the body. */
export function tagLine(tags: readonly string[]): string {
  const labels = tags.map((tag) => `#${fitLine(tag, 100).replace(/\s+/g, '-')}`).filter((label) => label !== '#')
  return labels.length > 0 ? `<p>${escapeHtml(labels.join(' '))}</p>` : ''
}
