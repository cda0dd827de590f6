import { say } from '#language'
import { msg, t } from '#say'
import { crc32 } from '../../../contract/crc32.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { isLitter } from './paths.ts'
import { type FoundFile, type FoundFiles, type Refused, UnreadableError } from './types.ts'
import { type DirectoryEntry, readDirectory } from './zip-directory.ts'

const STORED = 0
const DEFLATED = 8
const LOCAL_HEADER = 30
/** Larger files with a higher compression ratio than real photos, videos or documents are treated as ZIP bombs. In bytes. */
export const SUSPECT_SIZE = 64 * 1024 * 1024
const MAX_RATIO = 200

/**
 * Files of a ZIP of any size. Reads only its directory; each file is read and compared with its CRC-32 when it is opened. Paths outside the archive, overlaps,
 * encrypted entries and bombs are refused by name. Throws UnreadableError if it is no ZIP or is truncated.
 */
export async function readZip(zip: Blob): Promise<FoundFiles> {
  const files: FoundFile[] = []
  const refused: Refused[] = []
  let end = 0
  for (const entry of (await readDirectory(zip)).toSorted((a, b) => a.start - b.start)) {
    if (entry.name.endsWith('/') || isLitter(entry.name)) continue
    const path = safePath(entry.name)
    const reason = path === null ? t`Its name leads out of the archive` : (refusalOf(entry) ?? (entry.start < end ? say(OVERLAP) : null))
    if (reason || path === null) refused.push({ name: entry.name, reason: reason ?? say(OVERLAP) })
    else
      files.push({ path, size: entry.size, modified: entry.modified, ...(entry.crc && { crc: entry.crc }), open: () => open(zip, entry) })
    end = Math.max(end, entry.start + LOCAL_HEADER + entry.packed)
  }
  return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), refused }
}

export const TOO_TIGHT = msg`It is packed suspiciously tightly, as archives are that fill a disk`
const OVERLAP = msg`The archive is damaged here: two files claim the same bytes`

function refusalOf({ method, encrypted, link, size, packed, start }: DirectoryEntry): string | null {
  if (encrypted) return t`It is locked with a password`
  if (link) return t`It is a link, not a file`
  if (method !== STORED && method !== DEFLATED) return t`It is packed in a way that browsers cannot read`
  if (start < 0 || (method === STORED && size !== packed)) return t`The archive is damaged here`
  if (size > LIMITS.fileSize) return t`A file may have at most 5 GiB`
  return size > SUSPECT_SIZE && size > packed * MAX_RATIO ? say(TOO_TIGHT) : null
}

/** The normalised path; null if it is empty or leads out of the archive. */
export function safePath(name: string): string | null {
  const path = name.replaceAll('\\', '/')
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.includes('\u0000')) return null
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return parts.length === 0 || parts.includes('..') ? null : parts.join('/')
}

async function open(zip: Blob, { start, packed, size, method, crc }: DirectoryEntry): Promise<Blob> {
  const head = new DataView(await zip.slice(start, start + LOCAL_HEADER).arrayBuffer())
  if (head.byteLength < LOCAL_HEADER || head.getUint32(0, true) !== 0x04034b50) throw damaged()
  const from = start + LOCAL_HEADER + head.getUint16(26, true) + head.getUint16(28, true)
  if (from + packed > zip.size) throw damaged()
  const bytes = zip.slice(from, from + packed)
  try {
    if (method === DEFLATED)
      return await new Response(bytes.stream().pipeThrough(new DecompressionStream('deflate-raw')).pipeThrough(checked(size, crc))).blob()
    // A film stays in the archive, and is read in pieces.
    await bytes.stream().pipeThrough(checked(size, crc)).pipeTo(new WritableStream())
    return bytes
  } catch (error) {
    throw error instanceof DOMException ? error : damaged()
  }
}

const damaged = () => new UnreadableError(t`The archive is damaged here`)

/** Passes bytes on, no more than there should be. Throws UnreadableError if they are not of this size and CRC-32. */
function checked(size: number, crc: number | undefined) {
  let [length, sum] = [0, 0]
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      length += chunk.length
      if (length > size) throw damaged()
      sum = crc32(chunk, sum)
      controller.enqueue(chunk)
    },
    flush() {
      if (length !== size || (crc !== undefined && sum !== crc)) throw damaged()
    },
  })
}
