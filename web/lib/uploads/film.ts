import { CanvasSink, type Input, type InputVideoTrack } from 'mediabunny'
import { answered, codecOf, type FilmHeaders, openFilm, readFilmHeaders } from '../../../contract/films/film-headers.ts'
import type { FilmFile } from '../../../contract/films/film-parts.ts'
import { secondsOf } from '../../../contract/films/film-times.ts'
import { RENDITIONS } from '../../../contract/limits.ts'
import { isWidelyPlayed, playedIn } from './film-playable.ts'
import { areTablesSound } from './film-tables.ts'
import { fitWithin } from './renditions.ts'
import type { FilmPlays } from './types.ts'

/** What a film says of itself, and one of its pictures. */
export type Film = FilmHeaders & {
  /** Null if that is not known. */
  plays: FilmPlays | null
  frame: ImageBitmap | null
}

export interface FilmOptions {
  /** The reader's time zone, for films that do not say theirs. */
  zone: string
  /** Whether to decode a frame, if this browser can. */
  withFrame: boolean
}

/** Reads a film's headers and tables, never the whole file. A container that is not known, or damaged, has nulls in place of an error. */
export async function readFilm(file: FilmFile, { zone, withFrame }: FilmOptions): Promise<Film> {
  const headers = await readFilmHeaders(file, zone)
  if (!(await answered(areTablesSound(file)))) return { ...headers, plays: null, frame: null }
  const input = openFilm(file)
  try {
    const track = await answered(input.getPrimaryVideoTrack())
    const duration = headers.duration ?? (await answered(durationOf(input)))
    // WebCodecs knows none of the codecs that cameras wrote into AVI, whose tracks are not read.
    const unread = headers.codec === null ? null : 'seldom'
    return {
      ...headers,
      duration,
      plays: track ? await answered(playsOf(input, track)) : unread,
      frame: track && withFrame ? await answered(frameOf(track, duration)) : null,
    }
  } finally {
    input.dispose()
  }
}

/** Films in pieces do not say how long they are, and their clock may not begin at zero. */
async function durationOf(input: Input): Promise<number | null> {
  return secondsOf((await input.computeDuration()) - (await input.getFirstTimestamp()))
}

/** Pictures are made anew if this browser can decode them, and taken as they are if only their container is the obstacle. */
async function playsOf(input: Input, track: InputVideoTrack): Promise<FilmPlays | null> {
  const codec = (await track.getCodecParameterString()) ?? (await codecOf(track))
  if (!codec) return null
  if (isWidelyPlayed({ codec, container: (await input.getFormat()).name })) return 'widely'
  return playedIn(codec) || (await track.canDecode()) ? 'makeable' : 'seldom'
}

/** Not the first frame: it is often black. */
async function frameOf(track: InputVideoTrack, duration: number | null): Promise<ImageBitmap | null> {
  if (!(await track.canDecode())) return null
  const shown = { width: await track.getDisplayWidth(), height: await track.getDisplayHeight() }
  const sink = new CanvasSink(track, { ...fitWithin(shown, RENDITIONS.preview), fit: 'fill' })
  const at = (await track.getFirstTimestamp()) + Math.min(1, (duration ?? 0) / 3)
  const canvas = (await sink.getCanvas(at))?.canvas
  return canvas instanceof OffscreenCanvas ? canvas.transferToImageBitmap() : null
}
