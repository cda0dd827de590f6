import {
  BlobSource,
  CanvasSink,
  CustomSource,
  Input,
  type InputVideoTrack,
  Logging,
  LogLevel,
  MATROSKA,
  MP4,
  MPEG_TS,
  QTFF,
  WEBM,
} from 'mediabunny'
import { LIMITS, RENDITIONS } from '../../../contract/limits.ts'
import { type Avi, readAvi } from './film-avi.ts'
import { readClock } from './film-clock.ts'
import type { FilmFile } from './film-parts.ts'
import { isWidelyPlayed, playedIn } from './film-playable.ts'
import { areTablesSound } from './film-tables.ts'
import { type FilmDate, filmContentId, filmDate, filmPlace } from './film-tags.ts'
import { fitWithin } from './renditions.ts'
import type { FilmPlays } from './types.ts'

/** What the container of a film says; null for what it does not. `width` and `height` are those displayed, `duration` is in seconds. */
export type Film = FilmDate & FilmMeasures

interface FilmMeasures {
  width: number | null
  height: number | null
  duration: number | null
  /** `hevc`, `vp9`; a name of the container's (`mp4v`) if WebCodecs has none. */
  codec: string | null
  location: { lat: number; lon: number } | null
  /** Null if that is not known. */
  plays: FilmPlays | null
  /** Its description or title. */
  words: string | null
  /** Apple's, which is the same for both files of a Live Photo. */
  contentId: string | null
  frame: ImageBitmap | null
}

export interface FilmOptions {
  /** The reader's time zone, for films that do not say theirs. */
  zone: string
  /** Whether to decode a frame, if this browser can. */
  withFrame: boolean
}

export const FILM_FORMATS = [MP4, QTFF, WEBM, MATROSKA, MPEG_TS]

/** Milliseconds for one question: a damaged or very large file must not keep others waiting. */
const PATIENCE = 20_000

// What it cannot read is no error of the app.
Logging.level = LogLevel.Silent

/** Reads a film's headers, never the whole file. A container that is not known, or damaged, has nulls in place of an error. */
export async function readFilm(file: FilmFile, { zone, withFrame }: FilmOptions): Promise<Film> {
  const avi = await answer(readAvi(file))
  if (avi) return filmOfAvi(avi, zone)
  const clock = await answer(readClock(file))
  if (!(await answer(areTablesSound(file)))) return { ...NOTHING, ...filmDate({}, clock, zone, Date.now()) }
  const input = new Input({ formats: FILM_FORMATS, source: sourceOf(file) })
  try {
    const { raw = {}, title, description } = (await answer(input.getMetadataTags())) ?? {}
    const track = await answer(input.getPrimaryVideoTrack())
    const duration = await answer(durationOf(input))
    return {
      ...filmDate(raw, clock, zone, Date.now()),
      location: filmPlace(raw),
      words: oneLine(description) ?? oneLine(title),
      contentId: filmContentId(raw),
      duration,
      width: track && positive(await answer(track.getDisplayWidth())),
      height: track && positive(await answer(track.getDisplayHeight())),
      codec: track && (await answer(codecOf(track))),
      plays: track && (await answer(playsOf(input, track))),
      frame: track && withFrame ? await answer(frameOf(track, duration)) : null,
    }
  } finally {
    input.dispose()
  }
}

function sourceOf(file: FilmFile) {
  const handleUnhandledError = () => {}
  // Without streams: they read on, and leak in some browsers.
  if (file instanceof Blob) return new BlobSource(file, { useStreamReader: false, handleUnhandledError })
  const read = async (from: number, to: number) => new Uint8Array(await file.slice(from, to).arrayBuffer())
  return new CustomSource({ getSize: () => file.size, read, handleUnhandledError })
}

const NOTHING = {
  width: null,
  height: null,
  duration: null,
  codec: null,
  plays: null,
  location: null,
  words: null,
  contentId: null,
  frame: null,
}

/** AVI does not say where a film was made, and WebCodecs knows none of the codecs that cameras wrote into it. */
function filmOfAvi({ tags, ...measured }: Avi, zone: string): Film {
  const words = [tags.description, tags.title].find((text) => typeof text === 'string')
  const plays = measured.codec === null ? null : 'seldom'
  return { ...NOTHING, ...measured, plays, ...filmDate(tags, null, zone, Date.now()), words: oneLine(words) }
}

/** Null for an error, and for what takes too long. */
async function answer<T>(question: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE)
  })
  return Promise.race([question.catch(() => null), late]).finally(() => clearTimeout(timer))
}

function oneLine(text: string | undefined): string | null {
  const line = text?.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return line ? [...line].slice(0, LIMITS.altText).join('') : null
}

function positive(pixels: number | null): number | null {
  return pixels && pixels >= 1 ? Math.round(pixels) : null
}

async function durationOf(input: Input): Promise<number | null> {
  const told = await input.getDurationFromMetadata()
  if (told !== null) return secondsOf(told)
  // Films in pieces do not tell it, and their clock may not begin at zero.
  return secondsOf((await input.computeDuration()) - (await input.getFirstTimestamp()))
}

function secondsOf(seconds: number | null): number | null {
  return seconds !== null && seconds > 0 && Number.isFinite(seconds) ? Math.round(seconds * 1000) / 1000 : null
}

async function codecOf(track: InputVideoTrack): Promise<string | null> {
  const codec = await track.getCodec()
  if (codec) return codec
  const own = await track.getInternalCodecId()
  return typeof own === 'string' ? own.trim() : null
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
