import { say } from '#language'
import { msg, t } from '#say'
import { LIMITS } from '../../../contract/limits.ts'
import { freeRoom } from '../free-room.ts'
import { isLitter } from './paths.ts'
import { type FoundFile, type FoundFiles, type ReadOptions, type Refused, UnreadableError } from './types.ts'
import { SUSPECT_SIZE, safePath, TOO_TIGHT } from './zip-reader.ts'

/** Bytes of a header; contents are filled up to a multiple of it. */
const BLOCK = 512
/** Bytes read at once: many headers, where files are as small as sidecars. */
const WINDOW = 64 * 1024
/** Bytes of a header that only holds a name. */
const MAX_EXTENSION = 1024 * 1024
/** A whole archive of photos is hardly packed at all, one of texts and sidecars to a tenth. */
const MAX_RATIO = 20

/**
 * Files of a TAR or `.tgz`. A `.tgz` can only be read from its beginning, so it is unpacked as a whole: the browser keeps large blobs on disk,
 * as long as one of its files is in use. Links and paths outside the archive are refused by name. Throws UnreadableError.
 */
export async function readTar(file: Blob, options: ReadOptions): Promise<FoundFiles> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const tar = start[0] === 0x1f && start[1] === 0x8b ? await gunzip(file, options) : file
  const files: FoundFile[] = []
  const refused: Refused[] = []
  for await (const { name, type, size, modified, at } of entriesOf(tar, options.signal)) {
    if (name.endsWith('/') || isLitter(name) || type === '5') continue
    const path = safePath(name)
    const reason = path === null ? t`Its name leads out of the archive` : refusalOf(type, size)
    if (path === null || reason) refused.push({ name, reason: reason ?? '' })
    else files.push({ path, size, modified, open: async () => tar.slice(at, at + size) })
  }
  return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), refused }
}

function refusalOf(type: string, size: number): string | null {
  if (type === '1' || type === '2') return t`It is a link, not a file`
  if (type !== '0' && type !== '7') return t`It is stored in a way that browsers cannot read`
  return size > LIMITS.fileSize ? t`A file may have at most 5 GiB` : null
}

const NO_ROOM = msg`This device has no room to unpack it. Choose ZIP instead of TGZ when you export it, which needs none, or unpack it yourself and drop the folder`

/** Throws UnreadableError where the result would be larger than the room that there is, or than such an archive can be. */
async function gunzip(file: Blob, { signal, onProgress }: ReadOptions): Promise<Blob> {
  const room = await freeRoom()
  if (file.size > room) throw new UnreadableError(say(NO_ROOM))
  let [packed, unpacked] = [0, 0]
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      packed += chunk.length
      onProgress(packed / file.size)
      controller.enqueue(chunk)
    },
  })
  const limited = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      unpacked += chunk.length
      if (unpacked > room) throw new UnreadableError(say(NO_ROOM))
      if (unpacked > SUSPECT_SIZE && unpacked > file.size * MAX_RATIO) throw new UnreadableError(say(TOO_TIGHT))
      controller.enqueue(chunk)
    },
  })
  try {
    const stream = file.stream().pipeThrough(counted, { signal }).pipeThrough(new DecompressionStream('gzip')).pipeThrough(limited)
    return await new Response(stream).blob()
  } catch (error) {
    signal.throwIfAborted()
    // A browser without room on the disk fails in its own ways, the decoder with a TypeError.
    if (error instanceof UnreadableError) throw error
    throw new UnreadableError(
      error instanceof TypeError ? say(CUT_OFF) : t`It could not be unpacked here. Unpack it yourself and drop the folder`,
    )
  }
}

const CUT_OFF = msg`This archive is cut off or damaged. Download it again`

interface Entry {
  name: string
  /** One character, as in the format. */
  type: string
  size: number
  modified: number | null
  /** Offset of its content. */
  at: number
}

async function* entriesOf(tar: Blob, signal: AbortSignal): AsyncGenerator<Entry> {
  const read = windowOf(tar)
  // Names that do not fit into a header come before it, in one of two ways.
  let [longName, fields] = ['', new Map<string, string>()]
  for (let at = 0; at + BLOCK <= tar.size; ) {
    signal.throwIfAborted()
    const header = await read(at, BLOCK)
    if (header.every((byte) => byte === 0)) return
    if (!isHeader(header)) throw new UnreadableError(at === 0 ? t`This is not a TAR archive` : say(CUT_OFF))
    const type = String.fromCharCode(header[156] || 0x30)
    const size = Number(fields.get('size') ?? numberIn(header, 124, 12))
    const content = at + BLOCK
    if (!Number.isSafeInteger(size) || size < 0 || content + size > tar.size) throw new UnreadableError(say(CUT_OFF))
    at = content + Math.ceil(size / BLOCK) * BLOCK
    if (type === 'L') longName = textIn(await extension(read, content, size))
    else if (type === 'x') fields = fieldsIn(await extension(read, content, size))
    else if (type !== 'g' && type !== 'K') {
      const name = fields.get('path') ?? (longName || nameIn(header))
      yield { name, type, size, modified: numberIn(header, 136, 12) * 1000 || null, at: content }
      longName = ''
      fields = new Map()
    }
  }
}

type Read = (at: number, length: number) => Promise<Uint8Array>

function windowOf(tar: Blob): Read {
  let [from, bytes] = [0, new Uint8Array()]
  return async (at, length) => {
    if (at < from || at + length > from + bytes.length) {
      from = at
      bytes = new Uint8Array(await tar.slice(at, at + Math.max(length, WINDOW)).arrayBuffer())
    }
    return bytes.subarray(at - from, at - from + length)
  }
}

async function extension(read: Read, at: number, size: number): Promise<Uint8Array> {
  if (size > MAX_EXTENSION) throw new UnreadableError(say(CUT_OFF))
  return read(at, size)
}

/** The sum of all bytes, with blanks for the sum itself. */
function isHeader(header: Uint8Array): boolean {
  const sum = header.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 0x20 : byte), 0)
  return sum === numberIn(header, 148, 8)
}

/** Octal digits or, for large numbers, binary with the first bit set. */
function numberIn(header: Uint8Array, at: number, length: number): number {
  const field = header.subarray(at, at + length)
  if ((field[0] ?? 0) & 0x80) return field.reduce((total, byte, i) => total * 256 + (i === 0 ? byte & 0x7f : byte), 0)
  return Number.parseInt(textIn(field).trim() || '0', 8)
}

function nameIn(header: Uint8Array): string {
  const prefix = textIn(header.subarray(257, 262)) === 'ustar' ? textIn(header.subarray(345, 500)) : ''
  const name = textIn(header.subarray(0, 100))
  return prefix ? `${prefix}/${name}` : name
}

function textIn(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end))
}

/** Lines of `length key=value`. The length counts bytes, which no value that is read here needs: a path holds no line break. */
function fieldsIn(bytes: Uint8Array): Map<string, string> {
  const lines = new TextDecoder().decode(bytes).split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [, key, value] = /^\d+ ([^=]+)=(.*)$/s.exec(line) ?? []
      return key !== undefined && value !== undefined ? [[key, value] as const] : []
    }),
  )
}
