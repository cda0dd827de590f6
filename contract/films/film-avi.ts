import type { FilmFile } from './film-parts.ts'
import type { FilmTags } from './film-tags.ts'

/** What the headers of an AVI say. `duration` in seconds; `codec` is a FourCC such as `MJPG`. */
export interface Avi {
  width: number | null
  height: number | null
  duration: number | null
  codec: string | null
  tags: FilmTags
}

/** The headers come first, and are a few hundred bytes long. */
const HEADERS = 65_536

const latin1 = new TextDecoder('latin1')

/** Null if the file is no AVI. */
export async function readAvi(file: FilmFile): Promise<Avi | null> {
  const view = new DataView(await file.slice(0, HEADERS).arrayBuffer())
  if (view.byteLength < 12 || name(view, 0) !== 'RIFF' || name(view, 8) !== 'AVI ') return null
  const avi: Avi = { width: null, height: null, duration: null, codec: null, tags: {} }
  readChunks(view, 12, view.byteLength, avi)
  return avi
}

/** Chunks have a name, a size and their content, padded to an even length; those named LIST have a second name and chunks. */
function readChunks(view: DataView, from: number, to: number, avi: Avi): void {
  for (let at = from; at + 8 <= to; ) {
    const start = at + 8
    const size = view.getUint32(at + 4, true)
    const end = Math.min(start + size, to)
    const chunk = name(view, at)
    // The pictures begin: all that is read here comes before.
    if (chunk === 'LIST' && end - start >= 4 && name(view, start) === 'movi') return
    if (chunk === 'LIST') readChunks(view, start + 4, end, avi)
    else readChunk(chunk, new DataView(view.buffer, start, end - start), avi)
    at = start + size + (size % 2)
  }
}

function readChunk(chunk: string, content: DataView, avi: Avi): void {
  if (chunk === 'strh' && content.byteLength >= 36 && name(content, 0) === 'vids') {
    const [scale, rate, length] = [content.getUint32(20, true), content.getUint32(24, true), content.getUint32(32, true)]
    if (scale && rate && length) avi.duration ??= Math.round((length * scale * 1000) / rate) / 1000
    avi.codec ??= name(content, 4).trim() || null
  }
  if (chunk === 'avih' && content.byteLength >= 40) {
    avi.width ??= content.getUint32(32, true) || null
    avi.height ??= content.getUint32(36, true) || null
  }
  const tag = TAGS[chunk]
  if (tag) avi.tags = { [tag]: tag === 'date' ? wallOf(text(content)) : text(content), ...avi.tags }
}

/** Names of AVI, and those that other containers have for the same. */
const TAGS: Record<string, string> = { IDIT: 'date', ICRD: 'date', INAM: 'title', ISBJ: 'description' }

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Cameras write the date as the C library does: `Wed Aug 17 11:42:43 2005`. */
function wallOf(written: string): string {
  const [, month = '', day = '', time = '', year = ''] = /^\w{3} (\w{3}) +(\d{1,2}) (\d{2}:\d{2}:\d{2}) (\d{4})/.exec(written) ?? []
  const number = MONTHS.indexOf(month.toLowerCase()) + 1
  return number > 0 ? `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}T${time}` : written
}

function name(view: DataView, at: number): string {
  return latin1.decode(new Uint8Array(view.buffer, view.byteOffset + at, 4))
}

function text(content: DataView): string {
  return latin1.decode(content).replace(/\0.*$/s, '').trim()
}
