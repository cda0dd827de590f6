/** A stretch of a file: `offset` and `length` in bytes. */
export interface ByteRange {
  offset: number
  length: number
}

/**
 * What a Range header asks of a file of `size` bytes (RFC 9110 §14): one stretch, `'unsatisfiable'` (416), or null for
 * the whole file. Several ranges, another unit and a malformed header are ignored, as the RFC allows. Object storage
 * answers a range beyond the end with everything, so the bounds are checked here.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '')
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
