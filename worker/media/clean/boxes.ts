import { type Box, boxAt, free, isFree } from './box-reader.ts'
import { cleanFilm, cleanTree, type Film } from './film.ts'
import { cleanItems } from './items.ts'
import { fill, gaps, intersection, merged, moved, type Patch, replace, type Span } from './patches.ts'
import { bytesOf, read, type Source, textOf, Uncleanable, within } from './source.ts'

const KEPT = /^(ftyp|styp|sidx|ssix|mfra|pdin)$/
/** A film of many hours has a fragment for each second. */
const MAX_BOXES = 100_000
/** Films with other metadata, or that no browser plays. */
const OTHERS = /^(crx |jxl |jp2 |jpx )/

/**
 * Cleans an ISO base media file: MP4, QuickTime, HEIC and AVIF. Pictures, sound and what is needed to play them are kept. Everything else becomes
 * free space, and what no kept picture or track uses of the content becomes zero. Throws Uncleanable.
 */
export async function boxPatches(source: Source): Promise<Patch[]> {
  const { boxes, end } = await topLevel(source)
  const patches = leftover([end, source.size])
  const film: Film = { patches: [], used: [], unused: [], dropsTracks: false }
  const data: Box[] = []
  let shown = false
  for (const box of boxes) {
    if (box.type === 'mdat') data.push(box)
    else if (isFree(box)) patches.push(...fill([box.body, box.end]))
    else if (box.type === 'moov') {
      add(film, await cleanFilm(source, box))
      shown = true
    } else if (box.type === 'meta' && (await isOfPictures(source, box))) {
      const items = await cleanItems(source, box)
      add(film, { ...items, unused: [], dropsTracks: false })
      data.push(...items.data)
      shown = true
    } else if (box.type === 'mpvd') patches.push(...(await filmOfPhoto(source, box)))
    else if (!KEPT.test(box.type)) patches.push(...(await cleanTree(source, box, 'file')))
  }
  if (!shown) throw new Uncleanable()
  // The content of fragments is of the tracks that `moov` lists, in places that the fragments tell.
  if (boxes.some(({ type }) => type === 'moof')) {
    if (film.dropsTracks) throw new Uncleanable('kind')
    return [...patches, ...film.patches]
  }
  const kept = intersection(merged(film.used), gaps([0, source.size], film.unused))
  for (const { body, end: to } of data) for (const span of gaps([body, to], kept)) patches.push(...fill(span))
  return [...patches, ...film.patches]
}

function add(film: Film, { patches, used, unused, dropsTracks }: Film): void {
  for (const patch of patches) film.patches.push(patch)
  for (const span of used) film.used.push(span)
  for (const span of unused) film.unused.push(span)
  film.dropsTracks ||= dropsTracks
}

/** The boxes of the file, and where the last of them ends: some cameras write notes of their own after it. */
async function topLevel(source: Source): Promise<{ boxes: Box[]; end: number }> {
  const boxes: Box[] = []
  let at = 0
  while (at < source.size) {
    const box = await boxAt(source, at, source.size)
    if (!box) break
    if (box.type === 'ftyp' && OTHERS.test(textOf(await read(source, box.body, 4)))) throw new Uncleanable('kind')
    boxes.push(box)
    at = box.end
    if (boxes.length > MAX_BOXES) throw new Uncleanable()
  }
  const cut = source.size - at >= 8 ? textOf(await read(source, at + 4, 4)) : ''
  if (/^(mdat|moov|meta|moof)$/.test(cut)) throw new Uncleanable()
  return { boxes, end: at }
}

/** A box of free space, which ends with the file. */
function leftover([start, end]: Span): Patch[] {
  return end - start < 8 ? fill([start, end]) : [replace(start, bytesOf('\0\0\0\0free')), ...fill([start + 8, end])]
}

/** Also where films have titles, in a box that QuickTime writes without version and flags. */
async function isOfPictures(source: Source, { body, end }: Box): Promise<boolean> {
  const handler = body + 4 < end ? await boxAt(source, body + 4, end) : null
  return handler?.type === 'hdlr' && textOf(await read(source, handler.body + 8, 4)) === 'pict'
}

async function filmOfPhoto(source: Source, box: Box): Promise<Patch[]> {
  try {
    return moved(await boxPatches(within(source, box.body, box.end)), box.body)
  } catch (error) {
    if (error instanceof Uncleanable) return free(box)
    throw error
  }
}
