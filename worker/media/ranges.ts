/** In bytes. */
export interface ByteRange {
  offset: number
  length: number
}

/**
 * Parses a Range header for a file of `size` bytes (RFC 9110 §14): one range, `'unsatisfiable'` (416), or null for the whole file. Multiple
 * ranges, other units and malformed headers are ignored, as the RFC permits. Bounds are checked here, because object storage may send the
 * whole object for a range beyond the end.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/i.exec((header ?? '').replace(/\s/g, ''))
  if (!match) return null
  const [, first = '', last = ''] = match
  if (first === '') return last === '' ? null : suffix(Number(last), size)
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return null
  if (start >= size) return 'unsatisfiable'
  return { offset: start, length: end - start + 1 }
}

function suffix(wanted: number, size: number): ByteRange | 'unsatisfiable' {
  if (wanted === 0 || size === 0) return 'unsatisfiable'
  const length = Math.min(wanted, size)
  return { offset: size - length, length }
}

export function contentRange({ offset, length }: ByteRange, size: number): string {
  return `bytes ${offset}-${offset + length - 1}/${size}`
}
