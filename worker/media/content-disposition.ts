/** Device names on Windows, with or without an extension; it ignores spaces before the dot. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(\.|$)/i
/**
 * Controls, characters that Windows keeps for paths and the shell, and marks that change the writing direction (`gpj.exe` must not
 * read as `exe.jpg`). Joiners are none of these: Persian and Sinhala are spelled with them.
 */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f/\\:*?<>|\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g
/** Windows drops dots and spaces at the end, and then does not find the file. */
const END = /(?<![\s.])[\s.]+$/

/** A file name that is valid on every system: no path, no controls, not empty, at most 200 characters, with its extension. */
export function safeFileName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(UNSAFE, '_')
    .replace(/^[\s.]+/, '')
    .replace(END, '')
  const named = clean === '' ? 'file' : RESERVED.test(clean) ? `_${clean}` : clean
  const characters = [...named]
  if (characters.length <= 200) return named
  const extension = /\.[a-z0-9]{1,10}$/i.exec(named)?.[0] ?? ''
  const kept = characters.slice(0, 200 - extension.length).join('') + extension
  return kept.replace(END, '')
}

/** Content-Disposition (RFC 6266) with an ASCII name for old clients, and the full name encoded after RFC 5987. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const safe = safeFileName(name)
  const ascii = safe
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, '_')
    .replace(/["%]/g, '_')
  const extended = encodeURIComponent(safe).replace(/['()*!]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${extended}`
}
