import { type Box, boxesIn, free, freeName } from './box-reader.ts'
import type { Patch, Span } from './patches.ts'
import { cleanEntries } from './sample-entries.ts'
import { sampleSpans } from './samples.ts'
import { read, type Source, textOf, Uncleanable } from './source.ts'

/** Boxes with other boxes in them, and what is kept of those. What has no entry of its own is kept whole. */
const KEPT: Record<string, string> = {
  file: 'moof',
  moov: 'mvhd trak mvex iods',
  trak: 'tkhd edts tref mdia tapt load trgr',
  edts: 'elst',
  tapt: 'clef prof enof',
  mdia: 'mdhd hdlr minf elng',
  minf: 'vmhd smhd hmhd gmhd nmhd hdlr dinf stbl',
  dinf: 'dref',
  stbl: 'stsd stts ctts cslg stss stps stsz stz2 stsc stco co64 sdtp sbgp sgpd subs saiz saio padb stdp stsh',
  mvex: 'mehd trex leva',
  moof: 'mfhd traf',
  traf: 'tfhd tfdt trun sbgp sgpd subs saiz saio sdtp',
}

/** Pictures, sound and time codes. Places are in tracks of `meta` (GoPro, Apple, Sony), and of subtitles (DJI). */
const TRACKS = /^(vide|soun|tmcd|auxv|pict)$/
/** Codecs whose frames have no metadata of a photo's kind. */
const CODECS = /^(avc[1-4]|hvc1|hev1|dv[ah][1ev]|dvav|av01|vp0[89]|vv[ci]1|vvi1|mp4v|s263|h263|ap(ch|cn|cs|co|4h|4x)|SVQ[13]|tmcd)$/
/** In the first pictures of camcorders that write GPS between the frames. */
const CAMCORDER = 'MDPM'
const FIRST_PICTURE = 128 * 1024

/** A film: patches, what of the file its tracks use, and what those use that are left out. */
export interface Film {
  patches: Patch[]
  used: Span[]
  unused: Span[]
  dropsTracks: boolean
}

/** Keeps pictures, sound and the tables for them of `moov`; titles, tags, other tracks and what is unknown become free space. Throws Uncleanable. */
export async function cleanFilm(source: Source, moov: Box): Promise<Film> {
  const film: Film = { patches: [], used: [], unused: [], dropsTracks: false }
  const boxes = await boxesIn(source, moov.body, moov.end)
  if (boxes.some(({ type }) => type === 'cmov')) throw new Uncleanable('kind')
  const tracks = await Promise.all(boxes.filter(({ type }) => type === 'trak').map((box) => trackOf(source, box)))
  const kept = tracks.filter(({ handler }) => TRACKS.test(handler))
  film.dropsTracks = kept.length < tracks.length
  for (const box of boxes) {
    const track = tracks.find(({ start }) => start === box.start)
    if (track && !kept.includes(track)) {
      film.patches.push(...free(box))
      for (const span of await sampleSpans(source, track)) film.unused.push(span)
    } else {
      film.patches.push(...(await cleanTree(source, box, 'moov', !film.dropsTracks)))
      for (const span of track ? await checkedSpans(source, track) : []) film.used.push(span)
    }
  }
  return film
}

/** Patches of a box and those in it. `references`: those to other tracks are kept, since all tracks are. */
export async function cleanTree(source: Source, box: Box, parent: string, references = true): Promise<Patch[]> {
  const allowed = KEPT[parent]?.split(' ') ?? []
  if (!allowed.includes(box.type) || (box.type === 'tref' && !references)) return free(box)
  if (box.type === 'hdlr') return freeName(box)
  if (box.type === 'stsd') return cleanEntries(source, box)
  if (!KEPT[box.type]) return []
  const inner = await boxesIn(source, box.body, box.end)
  const patches: Patch[] = []
  for (const child of inner) patches.push(...(await cleanTree(source, child, box.type, references)))
  return patches
}

interface Track extends Box {
  /** What it is: `vide`, `soun`, `meta`. */
  handler: string
  /** Its first codec. */
  codec: string
  /** The tables of its samples. */
  tables: Box[]
}

async function trackOf(source: Source, box: Box): Promise<Track> {
  const inside = async (boxes: Box[], type: string) => {
    const found = boxes.filter((inner) => inner.type === type)
    if (found.length !== 1 || !found[0]) throw new Uncleanable()
    return found[0]
  }
  const childrenOf = ({ body, end }: Box) => boxesIn(source, body, end)
  const media = await childrenOf(await inside(await childrenOf(box), 'mdia'))
  const handler = textOf(await read(source, (await inside(media, 'hdlr')).body + 8, 4))
  const tables = await childrenOf(await inside(await childrenOf(await inside(media, 'minf')), 'stbl'))
  const described = await inside(tables, 'stsd')
  const codec = described.end - described.body >= 16 ? textOf(await read(source, described.body + 12, 4)) : ''
  return { ...box, handler, codec, tables }
}

async function checkedSpans(source: Source, track: Track): Promise<Span[]> {
  if (track.handler !== 'soun' && !CODECS.test(track.codec)) throw new Uncleanable('kind')
  const spans = await sampleSpans(source, track)
  const [first] = spans
  if (track.handler === 'vide' && first && first[0] < source.size) {
    const start = await read(source, first[0], Math.min(FIRST_PICTURE, source.size - first[0]))
    if (textOf(start).includes(CAMCORDER)) throw new Uncleanable('kind')
  }
  return spans
}
