import { t } from '#say'
import { isJpegFrame } from '../../contract/image-header.ts'
import { AppError } from '../http/errors.ts'

/**
 * Encoders write about ten scans. Each makes a decoder go over all pixels again and takes as little as ten bytes, so a small file with
 * thousands of them would keep a viewer's browser busy for minutes.
 */
export const MAX_SCANS = 50

export const tooManyScans = () =>
  new AppError(
    'invalid',
    t`This picture is stored in more than ${{ count: MAX_SCANS }} scans. Save it as an ordinary JPEG and send it once more`,
  )

const SOS = 0xda
const EOI = 0xd9

/** Markers without a segment: a stuffed zero, TEM, RST0–7 and SOI. */
const isStandalone = (marker: number) => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/**
 * Reads the frame and counts the scans of a JPEG that arrives in chunks, without decoding it. As decoders do, it skips what lies between
 * segments, so that a stray byte hides nothing.
 */
export class JpegWalk {
  scans = 0
  /** Of the largest frame; 0 before the first. */
  pixels = 0
  /** At the end of the image: what follows is not decoded. */
  ended = false
  #frame: { sequential: boolean; components: number } | null = null
  #firstScan = 0
  #state: 'search' | 'marker' | 'head' | 'skip' = 'search'
  #marker = 0
  #head: number[] = []
  #skip = 0

  /** True if the first scan has everything, so that a decoder ends with it. */
  get hasOneScan(): boolean {
    return Boolean(this.#frame?.sequential) && this.#firstScan > 0 && this.#firstScan === this.#frame?.components
  }

  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && !this.ended && this.scans <= MAX_SCANS; ) {
      if (this.#state === 'search') {
        const found = chunk.indexOf(0xff, at)
        if (found >= 0) this.#state = 'marker'
        at = found < 0 ? chunk.length : found + 1
      } else if (this.#state === 'skip') {
        const step = Math.min(this.#skip, chunk.length - at)
        this.#skip -= step
        at += step
        if (this.#skip === 0) this.#state = 'search'
      } else {
        const byte = chunk[at++] ?? 0
        if (this.#state === 'head') this.#headByte(byte)
        else if (byte !== 0xff) this.#begin(byte)
      }
    }
  }

  #begin(marker: number): void {
    this.#marker = marker
    this.#head = []
    this.ended = marker === EOI
    this.#state = isStandalone(marker) ? 'search' : 'head'
  }

  /** Length, and of a frame precision, height, width and number of components; of a scan its number of components. */
  #headByte(byte: number): void {
    this.#head.push(byte)
    const { length } = this.#head
    if (length < (isJpegFrame(this.#marker) ? 8 : this.#marker === SOS ? 3 : 2)) return
    const [high = 0, low = 0, third = 0, y1 = 0, y0 = 0, x1 = 0, x0 = 0, components = 0] = this.#head
    if (isJpegFrame(this.#marker)) {
      this.pixels = Math.max(this.pixels, (y1 * 256 + y0) * (x1 * 256 + x0))
      this.#frame ??= { sequential: this.#marker <= 0xc1, components }
    } else if (this.#marker === SOS && ++this.scans === 1) this.#firstScan = third
    this.#skip = high * 256 + low - length
    this.#state = this.#skip > 0 ? 'skip' : 'search'
  }
}

/** Whether these bytes are a JPEG of too many scans. */
export function isScanBomb(bytes: Uint8Array): boolean {
  const walk = new JpegWalk()
  if (bytes[0] === 0xff && bytes[1] === 0xd8) walk.write(bytes)
  return walk.scans > MAX_SCANS
}
