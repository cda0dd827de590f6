/** Controls that do not occur in text; tab, line ends, form feed and escape do. */
const BINARY = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/
const HTML =
  /<(!doctype\s+html|html|head|body|script|iframe|frameset|object|embed|style|title|meta|base|link|form|table|div|a|img|h1|p|br)\b/i

/** The media type of a text file, or null. Recognises markup that browsers would run. */
export function textType(start: Uint8Array): string | null {
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
