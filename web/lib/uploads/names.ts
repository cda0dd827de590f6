import { LIMITS } from '../../../contract/limits.ts'
import { countCharacters } from '../../../contract/text.ts'

/** A file name as the server accepts it: one line without control characters, shortened before the extension. */
export function cleanName(name: string): string {
  const base = name.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').replace(/^.*[/\\]/, '')
  const clean = base.toWellFormed().normalize('NFC').replace(/\s+/g, ' ').trim() || 'file'
  if (countCharacters(clean, LIMITS.fileName) <= LIMITS.fileName) return clean
  const extension = /\.[a-z0-9]{1,10}$/i.exec(clean)?.[0] ?? ''
  return `${[...clean].slice(0, LIMITS.fileName - extension.length - 1).join('')}…${extension}`
}

const BY_EXTENSION: Record<string, string> = {
  heic: 'image/heic',
  heif: 'image/heic',
  avif: 'image/avif',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
}

/** The media type guessed by the browser, without parameters; by extension for a few types that browsers do not know. */
export function typeOf(file: { name: string; type: string }): string {
  const declared = file.type.split(';')[0]?.trim().toLowerCase() ?? ''
  if (/^[a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*$/.test(declared)) return declared
  return BY_EXTENSION[file.name.split('.').pop()?.toLowerCase() ?? ''] ?? 'application/octet-stream'
}
