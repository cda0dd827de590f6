import { CustomSource, Input, type InputVideoTrack, Logging, LogLevel, MATROSKA, MP4, MPEG_TS, prefer, QTFF, WEBM } from 'mediabunny'
import { LIMITS } from '../limits.ts'
import { type Avi, readAvi } from './film-avi.ts'
import type { FilmFile } from './film-parts.ts'
import { type FilmDate, filmContentId, filmDate, filmPlace } from './film-tags.ts'
import { readTimes, secondsOf } from './film-times.ts'

/** Metadata from the headers of a film; null for what is not there. `width` and `height` are as displayed, `duration` is in seconds. */
export type FilmHeaders = FilmDate & {
  width: number | null
  height: number | null
  duration: number | null
  /** `hevc`, `vp9`; a name of the container's (`mp4v`) if WebCodecs has none. */
  codec: string | null
  location: { lat: number; lon: number } | null
  /** Its description or title. */
  words: string | null
  /** Apple's, which is the same for both files of a Live Photo. */
  contentId: string | null
}

export const FILM_FORMATS = [MP4, QTFF, WEBM, MATROSKA, MPEG_TS]

/** Milliseconds for one question: a damaged or very large file must not keep others waiting. */
const TIMEOUT = 20_000

/** No film is wider. */
const MAX_PIXELS = 65_535

// The library logs each file that it cannot read, which is not an error of the app.
Logging.level = LogLevel.Silent

/**
 * Reads what is in front of a film's tables, never these or the whole file: they may take more memory than a worker has. A container that is not
 * known, or damaged, has nulls in place of an error. `zone` is the reader's time zone, for films that do not say theirs.
 */
export async function readFilmHeaders(file: FilmFile, zone: string): Promise<FilmHeaders> {
  const avi = await answered(readAvi(file))
  if (avi) return headersOfAvi(avi, zone)
  const times = await answered(readTimes(file))
  const input = openFilm(file)
  try {
    const { raw = {}, title, description } = (await answered(input.getMetadataTags())) ?? {}
    const track = await answered(shownTrack(input))
    return {
      ...filmDate(raw, times?.clock ?? null, zone, Date.now()),
      location: filmPlace(raw),
      words: oneLine(description) ?? oneLine(title),
      contentId: filmContentId(raw),
      duration: times?.duration ?? null,
      width: track && sideOf(await answered(track.getDisplayWidth())),
      height: track && sideOf(await answered(track.getDisplayHeight())),
      codec: track && (await answered(codecOf(track))),
    }
  } finally {
    input.dispose()
  }
}

/** Dispose of it. */
export function openFilm(file: FilmFile): Input {
  const read = async (from: number, to: number) => new Uint8Array(await file.slice(from, to).arrayBuffer())
  return new Input({ formats: FILM_FORMATS, source: new CustomSource({ getSize: () => file.size, read, handleUnhandledError: () => {} }) })
}

/** Null for an error, and for what takes too long. */
export async function answered<T>(question: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), TIMEOUT)
  })
  return Promise.race([question.catch(() => null), late]).finally(() => clearTimeout(timer))
}

/** Not `getPrimaryVideoTrack`: it reads the tables of all tracks. */
async function shownTrack(input: Input): Promise<InputVideoTrack | null> {
  const [track = null] = await input.getVideoTracks({ sortBy: async (each) => prefer((await each.getDisposition()).default) })
  return track
}

export async function codecOf(track: InputVideoTrack): Promise<string | null> {
  const codec = await track.getCodec()
  if (codec) return codec
  const own = await track.getInternalCodecId()
  return typeof own === 'string' ? own.trim() : null
}

/** AVI does not say where a film was made. */
function headersOfAvi({ tags, duration, ...measured }: Avi, zone: string): FilmHeaders {
  const words = [tags.description, tags.title].find((text) => typeof text === 'string')
  return {
    ...{ location: null, contentId: null, words: oneLine(words), codec: measured.codec },
    ...{ width: sideOf(measured.width), height: sideOf(measured.height), duration: secondsOf(duration ?? 0) },
    ...filmDate(tags, null, zone, Date.now()),
  }
}

function oneLine(text: string | undefined): string | null {
  const line = text?.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return line ? [...line].slice(0, LIMITS.altText).join('') : null
}

function sideOf(pixels: number | null): number | null {
  return pixels && pixels >= 1 && pixels <= MAX_PIXELS ? Math.round(pixels) : null
}
