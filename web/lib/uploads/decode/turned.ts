/** Canvas transforms by EXIF orientation, for a picture of one by one. */
const TRANSFORMS: readonly [number, number, number, number, number, number][] = [
  [1, 0, 0, 1, 0, 0],
  [-1, 0, 0, 1, 1, 0],
  [-1, 0, 0, -1, 1, 1],
  [1, 0, 0, -1, 0, 1],
  [0, 1, 1, 0, 0, 0],
  [0, 1, -1, 0, 1, 0],
  [0, -1, -1, 0, 1, 1],
  [0, -1, 1, 0, 0, 1],
]

/** The bitmap made upright; `orientation` is that of EXIF, 1 to 8. Closes the one that it was given, unless it returns it. */
export function turned(bitmap: ImageBitmap, orientation: number): ImageBitmap {
  const transform = TRANSFORMS[orientation - 1]
  if (!transform || orientation === 1) return bitmap
  const [width, height] = orientation >= 5 ? [bitmap.height, bitmap.width] : [bitmap.width, bitmap.height]
  const canvas = new OffscreenCanvas(width, height)
  const [a, b, c, d, x, y] = transform
  const context = canvas.getContext('2d')
  context?.setTransform(a, b, c, d, x * width, y * height)
  context?.drawImage(bitmap, 0, 0)
  bitmap.close()
  return canvas.transferToImageBitmap()
}
