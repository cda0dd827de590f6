/** A grey JPEG of any size in few bytes: each block of 8 × 8 pixels takes two bits, since its tables have one code each. */
export function largeJpeg(width: number, height: number): Buffer {
  const segment = (marker: number, ...bytes: number[]) => [0xff, marker, 0, bytes.length + 2, ...bytes]
  const size = [height >> 8, height & 0xff, width >> 8, width & 0xff]
  const oneCode = [1, ...Array<number>(15).fill(0), 0]
  const head = [
    ...[0xff, 0xd8],
    ...segment(0xdb, 0, ...Array<number>(64).fill(16)),
    ...segment(0xc0, 8, ...size, 1, 1, 0x11, 0),
    ...segment(0xc4, 0x00, ...oneCode),
    ...segment(0xc4, 0x10, ...oneCode),
    ...segment(0xda, 1, 1, 0, 0, 63, 0),
  ]
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  return Buffer.concat([Buffer.from(head), Buffer.alloc(Math.ceil(blocks / 4)), Buffer.from([0xff, 0xd9])])
}
