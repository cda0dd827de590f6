import {
  type AudioCodec,
  BlobSource,
  Conversion,
  type ConversionAudioOptions,
  type ConversionVideoOptions,
  canEncodeVideo,
  getFirstEncodableAudioCodec,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
  Quality,
  StreamTarget,
  type StreamTargetChunk,
  type VideoCodec,
  WebMOutputFormat,
} from 'mediabunny'
import { FILM_FORMATS } from '../../../contract/films/film-headers.ts'
import { playedIn } from './film-playable.ts'
import { areTablesSound } from './film-tables.ts'

/** Why no film could be made. */
export type FilmRefusal = 'damaged' | 'no-codec' | 'no-sound' | 'too-large' | 'no-room'

export class FilmRefused extends Error {
  override name = 'FilmRefused'
  readonly refusal: FilmRefusal
  constructor(refusal: FilmRefusal) {
    super(refusal)
    this.refusal = refusal
  }
}

/** Pixels of the shorter side, and bits a second of H.264 at 1920 × 1080. */
const SHORTER_SIDE = 1080
/** Scaled by the number of pixels; the other codecs need less for the same quality. */
const BITRATE = 6_000_000
/** Of the original's bits a second: less than twice, because encoders do not keep to it exactly. */
const GROWTH = 1.5
const AUDIO_BITRATE = 128_000
/** Of all bits, how many the sound may have. */
const AUDIO_SHARE = 0.3
const PIECE = 1024 * 1024

/** `write` puts bytes at a position of the film; `limit` is the most bytes that it may have. */
export interface FilmTarget {
  limit: number
  write(bytes: Uint8Array<ArrayBuffer>, position: number): void
}

export interface FilmProgress {
  onProgress(share: number): void
  /** Resolves when it may go on: at once, unless something more important is under way. */
  turn(): Promise<void>
}

type Container = 'mp4' | 'webm'
interface Plan {
  container: Container
  /** The codec of its pictures, and whether they are taken as they are. */
  codec: VideoCodec
  copied: boolean
  width: number
  height: number
}

/**
 * Makes a version of a film that most browsers play, with at most 1080 pixels on its shorter side, upright and without the original's tags. Pictures and
 * sound that need no change are taken as they are. Bytes are written as they come, so that memory does not grow with the film. Returns its media type. Throws
 * FilmRefused.
 */
export async function makeFilm(file: Blob, target: FilmTarget, { onProgress, turn }: FilmProgress): Promise<'video/mp4' | 'video/webm'> {
  if (!(await areTablesSound(file))) throw new FilmRefused('damaged')
  const source = new BlobSource(file, { useStreamReader: false, handleUnhandledError: () => {} })
  const input = new Input({ formats: FILM_FORMATS, source })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (!track) throw new FilmRefused('damaged')
    const plan = await planFor(track)
    const bits = (GROWTH * file.size * 8) / Math.max(await input.computeDuration(), 0.1)
    const sound = await input.getPrimaryAudioTrack()
    const output = new Output({
      // The index comes last, so that no picture waits in memory for it. The server answers ranges.
      format: plan.container === 'mp4' ? new Mp4OutputFormat({ fastStart: false }) : new WebMOutputFormat(),
      target: new StreamTarget(limited(target, turn), { chunked: true, chunkSize: PIECE }),
    })
    const conversion = await Conversion.init({
      input,
      output,
      tracks: 'primary',
      video: await videoOptions(track, plan, bits),
      ...(sound && { audio: await audioOptions(sound, plan.container, bits) }),
      copy: { shiftTolerance: Number.POSITIVE_INFINITY },
      tags: {},
      showWarnings: false,
    })
    // Without its sound a film would seem to have none.
    if (conversion.discardedTracks.some((lost) => lost.track === sound)) throw new FilmRefused('no-sound')
    if (!conversion.isValid || conversion.discardedTracks.some((lost) => lost.track === track)) throw new FilmRefused('no-codec')
    conversion.onProgress = onProgress
    await conversion.execute()
    return plan.container === 'mp4' ? 'video/mp4' : 'video/webm'
  } finally {
    input.dispose()
  }
}

/** H.264 before VP9 and VP8: every browser plays it, and most devices encode it in hardware. */
const CODECS: readonly [VideoCodec, Container][] = [
  ['avc', 'mp4'],
  ['vp9', 'webm'],
  ['vp8', 'webm'],
]

async function planFor(track: InputVideoTrack): Promise<Plan> {
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  const scale = Math.min(1, SHORTER_SIDE / Math.min(width, height))
  const [codec, named] = [await track.getCodec(), await track.getCodecParameterString()]
  const same = named && playedIn(named)
  if (codec && same && scale === 1) return { container: same, codec, copied: true, width, height }
  const size = { width: even(width * scale), height: even(height * scale) }
  for (const [known, container] of CODECS) if (await canEncodeVideo(known, size)) return { container, codec: known, copied: false, ...size }
  throw new FilmRefused('no-codec')
}

/** Encoders take no odd sizes. */
const even = (pixels: number) => Math.max(2, Math.round(pixels / 2) * 2)

/** `bits`: that the film may have a second. */
async function videoOptions(track: InputVideoTrack, { codec, copied, width, height }: Plan, bits: number): Promise<ConversionVideoOptions> {
  if (copied) return { codec }
  const share = (width * height) / (1920 * 1080)
  const wanted = BITRATE * share * (codec === 'avc' ? 1 : 0.7)
  const most = bits - audioBitrate(bits)
  const options = {
    ...{ codec, width, height, fit: 'fill' as const, allowTransformationMetadata: false, forceTranscode: true },
    quality: new Quality({ bitrate: Math.round(Math.min(wanted, most)) }),
  }
  return (await track.hasHighDynamicRange()) ? { ...options, process: toStandardRange(width, height) } : options
}

/** Drawn on a canvas, colours beyond the standard range become ones that every screen shows. */
function toStandardRange(width: number, height: number): NonNullable<ConversionVideoOptions['process']> {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { alpha: false })
  return (sample) => {
    if (!context) return sample
    sample.draw(context, 0, 0, width, height)
    return canvas
  }
}

/** Sound that most browsers play in this container. */
const SOUND: Record<Container, readonly AudioCodec[]> = { mp4: ['aac', 'mp3'], webm: ['opus', 'vorbis'] }

const audioBitrate = (bits: number) => Math.round(Math.min(AUDIO_BITRATE, bits * AUDIO_SHARE))

async function audioOptions(track: InputAudioTrack, container: Container, bits: number): Promise<ConversionAudioOptions> {
  const own = await track.getCodec()
  if (own && SOUND[container].includes(own)) return { codec: own }
  const channels = Math.min(2, await track.getNumberOfChannels())
  const sampleRate = 48_000
  // Few devices encode AAC. Opus in MP4 is played by browsers of the last years.
  const codecs: AudioCodec[] = container === 'mp4' ? ['aac', 'opus'] : ['opus']
  const codec = await getFirstEncodableAudioCodec(codecs, { numberOfChannels: channels, sampleRate })
  if (!codec) throw new FilmRefused('no-sound')
  return { codec, numberOfChannels: channels, sampleRate, quality: new Quality({ bitrate: audioBitrate(bits) }) }
}

function limited({ limit, write }: FilmTarget, turn: () => Promise<void>): WritableStream<StreamTargetChunk> {
  return new WritableStream({
    async write({ data, position }) {
      if (position + data.length > limit) throw new FilmRefused('too-large')
      write(data, position)
      await turn()
    },
  })
}
