/** A square of an image, in its pixels. */
export interface Crop {
  x: number
  y: number
  size: number
}

interface Size {
  width: number
  height: number
}

export const MAX_ZOOM = 4

/** The largest square, in the middle. */
export function middleOf({ width, height }: Size): Crop {
  const size = Math.min(width, height)
  return { x: (width - size) / 2, y: (height - size) / 2, size }
}

/** Moves the square by a part of its own size. It stays inside the image. */
export function moved(crop: Crop, image: Size, right: number, down: number): Crop {
  return inside({ ...crop, x: crop.x + right * crop.size, y: crop.y + down * crop.size }, image)
}

/** `zoom` is 1 for the largest square. Its middle stays where it is, as far as the image allows. */
export function zoomed({ x, y, size }: Crop, image: Size, zoom: number): Crop {
  const next = Math.min(image.width, image.height) / Math.min(MAX_ZOOM, Math.max(1, zoom))
  return inside({ x: x + (size - next) / 2, y: y + (size - next) / 2, size: next }, image)
}

export function zoomOf({ size }: Crop, { width, height }: Size): number {
  return Math.min(width, height) / size
}

function inside({ x, y, size }: Crop, { width, height }: Size): Crop {
  return { x: Math.min(Math.max(0, x), width - size), y: Math.min(Math.max(0, y), height - size), size }
}
