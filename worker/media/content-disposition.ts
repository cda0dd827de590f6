/** Device names on Windows, with or without an extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
/** Controls, path and shell characters, and marks that change the writing direction (`gpj.exe` must not read as `exe.jpg`). */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f/\\:*?<>|\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** A file name that is valid on every system: no path, no controls, not empty, at most 200 characters, with its extension. */
export function safeFileName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(UNSAFE, '_')
    .replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, '')
  const named = clean === '' ? 'file' : RESERVED.test(clean) ? `_${clean}` : clean
  const characters = [...named]
  if (characters.length <= 200) return named
  const extension = /\.[a-z0-9]{1,10}$/i.exec(named)?.[0] ?? ''
  return characters.slice(0, 200 - extension.length).join('') + extension
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
