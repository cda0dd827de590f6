/** Names of containers as mediabunny has them, and `AVI`. */
interface FilmKind {
  /** A codec parameter string (`hvc1.1.6.L93.B0`), or a name of the container's (`mp4v`). */
  codec: string
  container: string
}

const MP4 = /^(?:MP4|QuickTime File Format)$/
const WEBM = /^WebM$/

/**
 * What browsers of the last years play on every system, and nothing else. Not in this table, and why:
 * - HEVC: only with a decoder of the system or the graphics card, so not in Firefox before 2025, nor on most Linux.
 * - AV1: Safari plays it only on devices of 2023 and later.
 * - H.264 with 10 bits or 4:2:2 (cameras): decoders in hardware lack it, and so do Safari and Firefox. VP9 with 10 bits as well.
 * - VP9 in MP4 or QuickTime: not in Safari.
 * - Matroska, MPEG transport streams and AVI: no browser, or Chromium alone, whatever the codec.
 * - ProRes, MPEG-4 part 2, Motion JPEG, H.263, MPEG-2: no browser, or Safari alone.
 */
const WIDELY: readonly { codec: RegExp; container: RegExp }[] = [
  // Baseline, Main, Extended and High: 8 bits, 4:2:0.
  { codec: /^avc[13]\.(?:42|4d|58|64)/i, container: MP4 },
  { codec: /^vp8/, container: WEBM },
  { codec: /^vp09\.00/, container: WEBM },
]

/** Whether most browsers play it. */
export function isWidelyPlayed({ codec, container }: FilmKind): boolean {
  return WIDELY.some((kind) => kind.codec.test(codec) && kind.container.test(container))
}

/** The container in which most browsers play a codec, so that its pictures need not be encoded anew. Null if there is none. */
export function playedIn(codec: string): 'mp4' | 'webm' | null {
  const kind = WIDELY.find((one) => one.codec.test(codec))
  return kind ? (kind.container === MP4 ? 'mp4' : 'webm') : null
}
