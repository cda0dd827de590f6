import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { SCREENS } from '../../contract/images.ts'
import type { PagePicture } from '../../contract/site.ts'
import { escapeHtml } from './markdown.ts'

/** Widths of the app's own presets; a text column of 44rem needs no more at two pixels to one. */
const WIDTHS = [SCREENS.xs, SCREENS.sm, SCREENS.xl]
/** What those who show a shared link expect. */
const SHARED = { width: 1200, height: 630 }
const COLUMN = '(min-width: 48rem) 44rem, calc(100vw - 3rem)'

export interface MadePicture extends Omit<PagePicture, 'alt'> {
  /** Path of a JPEG for shared links. */
  shared: string
}

/** Makes the sizes of a picture; the files go into `files` by the path that they are served at. */
export async function makePicture(file: string, files: Map<string, Uint8Array>): Promise<MadePicture> {
  const source = await readFile(file)
  const name = `/assets/content/${path.parse(file).name}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}`
  const { width = 0, height = 0 } = await sharp(source).metadata()
  const widths = [...WIDTHS.filter((wanted) => wanted < width), Math.min(width, SCREENS.xl)].filter(
    (one, index, all) => all.indexOf(one) === index,
  )
  for (const wanted of widths)
    files.set(`${name}-${wanted}.webp`, await sharp(source).resize({ width: wanted }).webp({ quality: 80 }).toBuffer())
  const shared = `${name}-shared.jpg`
  files.set(
    shared,
    await sharp(source)
      .resize({ ...SHARED, fit: 'cover' })
      .jpeg({ quality: 80, mozjpeg: true })
      .toBuffer(),
  )
  const largest = widths.at(-1) ?? width
  return {
    src: `${name}-${largest}.webp`,
    srcset: widths.map((wanted) => `${name}-${wanted}.webp ${wanted}w`).join(', '),
    width: largest,
    height: Math.round((height * largest) / width),
    shared,
  }
}

/** A picture in the text: its room is kept before it arrives. With a title it has a caption. */
export function figureHtml({ src, srcset, width, height }: MadePicture, alt: string, title: string | null): string {
  const img = `<img src="${src}" srcset="${srcset}" sizes="${COLUMN}" width="${width}" height="${height}" alt="${escapeHtml(alt)}" loading="lazy" decoding="async">`
  return `<figure>${img}${title ? `<figcaption>${escapeHtml(title)}</figcaption>` : ''}</figure>`
}
