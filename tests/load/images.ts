import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { RENDITIONS } from '../../contract/limits.ts'

/** As detailed as real photos. */
const PHOTO = new URL('../../dev/demo/pictures/forest-path-to-the-sauna.jpg', import.meta.url)
const RENDITION = /\/api\/asset\/[\w-]+\/renditions\/(thumb|preview)\?/

/**
 * Answers all requests for images by pages and their service worker with the same image, like a cache at the edge. The photos of `grow`
 * have no files: each tile would make three futile requests, and worker and database would use the processor on which the page is measured.
 * Returns a function that stops it; until then the browser's own cache is off.
 */
export async function answerImages(context: BrowserContext, page: Page): Promise<() => Promise<void>> {
  const bodies = { thumb: await made(page, RENDITIONS.thumb), preview: await made(page, RENDITIONS.preview) }
  const headers = { 'cache-control': 'private, max-age=31536000, immutable' }
  await context.route(RENDITION, (route) => {
    const name = RENDITION.exec(route.request().url())?.[1] === 'preview' ? 'preview' : 'thumb'
    return route.fulfill({ body: bodies[name], contentType: 'image/webp', headers })
  })
  return () => context.unroute(RENDITION)
}

/** The photo as a browser makes it when it is uploaded: WebP, 4:3, `width` pixels wide. */
async function made(page: Page, width: number): Promise<Buffer> {
  const encoded = await page.evaluate(
    async ([photo, wide]) => {
      const bytes = Uint8Array.from(atob(photo), (letter) => letter.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes]))
      const canvas = new OffscreenCanvas(wide, (wide * 3) / 4)
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 })
      return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''))
    },
    [(await readFile(PHOTO)).toString('base64'), width] as const,
  )
  return Buffer.from(encoded, 'base64')
}
