import { binaryType } from './sniff-binary.ts'
import { textType } from './sniff-text.ts'

/** How many bytes from the start of a file `sniff` wants to see. */
export const SNIFF_BYTES = 4096
const UNKNOWN = 'application/octet-stream'

/** Sniffed family → declared types that are a more precise name for such bytes, and are kept. */
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

/** Types whose bytes we would have recognised, and types that a browser might run: never believed. */
const NOT_BELIEVED =
  /^(text|multipart|message)\/|(html|xml|svg|script|css|java|flash|wasm)|^image\/(jpe?g|p?jpeg|png|apng|gif|webp|avif|hei[cf]|tiff|bmp|jxl|x-icon|vnd\.microsoft\.icon)$|^video\/(mp4|quicktime|webm|ogg|x-matroska)$|^audio\/(mp4|ogg|wav|x-wav|flac|webm)$|^application\/(pdf|zip|gzip)$/

/**
 * The media type of a file by its first bytes, which win over what the client declared. A declared type is kept where the
 * bytes allow it and no browser would run it; bytes that say nothing at all become application/octet-stream.
 */
export function sniff(start: Uint8Array, declared: string): string {
  const type = declared.toLowerCase()
  const found = binaryType(start) ?? textType(start)
  if (found) return MORE_PRECISE[found]?.test(type) ? type : found
  return NOT_BELIEVED.test(type) ? UNKNOWN : type
}

/** Whether a browser may show such a file by itself. Everything else, SVG and HTML first of all, is only ever downloaded. */
export function mayShowInline(type: string): boolean {
  return type === 'application/pdf' || (/^(image|video|audio)\//.test(type) && !/svg|xml/.test(type))
}
