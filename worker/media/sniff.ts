import { binaryType } from './sniff-binary.ts'

/** Bytes from the start of a file that `sniff` needs. */
export const SNIFF_BYTES = 4096
const UNKNOWN = 'application/octet-stream'

/** Sniffed type → more precise declared types, which are kept. */
const MORE_PRECISE: Record<string, RegExp> = {
  'image/tiff': /^image\/(x-[a-z0-9-]+|dng)$/,
  'video/mp4': /^(audio\/(mp4|x-m4a)|video\/x-m4v)$/,
  'video/webm': /^audio\/webm$/,
  'video/x-matroska': /^audio\/x-matroska$/,
  'audio/ogg': /^(video\/ogg|audio\/opus)$/,
  'application/zip': /^application\/(vnd\.[a-z0-9.+-]+|epub\+zip)$/,
  'application/x-ole-storage': /^application\/(msword|vnd\.ms-[a-z0-9.-]+)$/,
  'text/xml': /^application\/(gpx|vnd\.google-earth\.kml|rss|atom)\+xml$/,
  'text/plain': /^(text\/(csv|markdown|calendar|vcard|tab-separated-values)|application\/(json|geo\+json|x-ndjson))$/,
}

/** Declared types that are never accepted: their bytes would have been recognised, or a browser might run them. */
const NOT_BELIEVED =
  /^(text|multipart|message)\/|(html|xml|svg|script|css|java|flash|wasm)|^image\/(jpe?g|p?jpeg|png|apng|gif|webp|avif|hei[cf]|tiff|bmp|jxl|x-icon|vnd\.microsoft\.icon)$|^video\/(mp4|quicktime|webm|ogg|x-matroska)$|^audio\/(mp4|ogg|wav|x-wav|flac|webm)$|^application\/(pdf|zip|gzip)$/

/**
 * The media type of a file by its first bytes, which take precedence over the declared type. A declared type is kept if it fits the bytes and
 * no browser would run it. Otherwise, unknown bytes are application/octet-stream.
 */
export function sniff(start: Uint8Array, declared: string): string {
  const type = declared.toLowerCase()
  const found = binaryType(start) ?? textType(start)
  if (found) return MORE_PRECISE[found]?.test(type) ? type : found
  return NOT_BELIEVED.test(type) ? UNKNOWN : type
}

/** True if a browser may show the file inline. All other types, such as SVG and HTML, are downloaded. */
export function mayShowInline(type: string): boolean {
  return type === 'application/pdf' || (/^(image|video|audio)\//.test(type) && !/svg|xml/.test(type))
}

/** Controls that do not occur in text; tab, line ends, form feed and escape do. */
const BINARY = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/
const HTML =
  /<(!doctype\s+html|html|head|body|script|iframe|frameset|object|embed|style|title|meta|base|link|form|table|div|a|img|h1|p|br)\b/i

/** The media type of a text file, or null. Recognises markup that browsers would run. */
function textType(start: Uint8Array): string | null {
  const text = decode(start)
  if (text === null || BINARY.test(text)) return null
  if (text.trim() === '') return 'text/plain'
  if (/<svg[\s>:]/i.test(text) || /<[a-z]+:svg[\s>]/i.test(text)) return 'image/svg+xml'
  if (/^\s*<\?xml\b/i.test(text)) return /<html\b/i.test(text) ? 'application/xhtml+xml' : 'text/xml'
  if (/^\s*</.test(text) && HTML.test(text)) return 'text/html'
  return 'text/plain'
}

/** Decodes UTF-8, or UTF-16 with a byte order mark; null for anything else. The last character may be cut off. */
function decode(bytes: Uint8Array): string | null {
  const label = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  try {
    // With `stream`, an incomplete last character is no error.
    return new TextDecoder(label, { fatal: true, ignoreBOM: false }).decode(bytes, { stream: true })
  } catch {
    return null
  }
}
