import { useEffect } from 'react'
import type { MapLibreMap } from '../../lib/map/maplibre.ts'
import { canvasPictures } from '../../lib/start/canvas-images.ts'

/** Milliseconds for which a map stands still that is worth a picture. */
const STILL = 1_000

/** Keeps what the map shows for the picture that the page begins with the next time. */
export function useKeptPicture(map: MapLibreMap | null): void {
  useEffect(() => {
    if (!map) return
    const canvas = map.getCanvas()
    const copy = document.createElement('canvas')
    let timer: ReturnType<typeof setTimeout> | undefined
    // Told while what was drawn can still be read.
    const take = () => {
      clearTimeout(timer)
      copy.width = canvas.clientWidth
      copy.height = canvas.clientHeight
      copy.getContext('2d')?.drawImage(canvas, 0, 0, copy.width, copy.height)
      timer = setTimeout(() => copy.toBlob((blob) => blob && void keep(canvas, blob), 'image/webp', 0.7), STILL)
    }
    map.on('idle', take)
    // It may have come to rest before.
    map.triggerRepaint()
    return () => {
      clearTimeout(timer)
      map.off('idle', take)
    }
  }, [map])
}

async function keep(canvas: HTMLCanvasElement, blob: Blob): Promise<void> {
  const reader = new FileReader()
  await new Promise((resolve) => {
    reader.onloadend = resolve
    reader.readAsDataURL(blob)
  })
  if (typeof reader.result === 'string') canvasPictures.set(canvas, reader.result)
}
