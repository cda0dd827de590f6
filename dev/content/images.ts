import { createHash } from 'node:crypto'
import path from 'node:path'
import sharp from 'sharp'
import { SCREENS } from '../../contract/images.ts'
import type { PagePicture } from '../../contract/site.ts'
import { escapeHtml } from '../../contract/text.ts'

/** Widths of the app's own presets; a text column of 44rem needs no more at two device pixels per pixel. */
const WIDTHS = [SCREENS.xs, SCREENS.sm, SCREENS.xl]
/** The size that previews of shared links expect. */
export const SHARED = { width: 1200, height: 630 }
const COLUMN = '(min-width: 48rem) 44rem, calc(100vw - 3rem)'

export interface PictureSource {
  /** For the names of its files. */
  title: string
  source: Uint8Array
}

export interface MadePicture extends Omit<PagePicture, 'alt'> {
  /** Path of a JPEG for previews of shared links. */
  shared: string
}

/** Creates the sizes of an image and puts the files into `files`, by the path they are served at. */
export async function makePicture({ title, source }: PictureSource, files: Map<string, Uint8Array>): Promise<MadePicture> {
  const name = `/assets/content/${title}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}`
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

/** The image in previews of a shared link. */
export interface SharedPicture {
  /** Path of a JPEG. */
  path: string
  alt: string
}

const WEB = path.join(import.meta.dirname, '../../web')
/** Background colour, and the positions of logo and screenshot in pixels. The screenshot extends beyond the image. */
const GROUND = '#f3e8d3'
const MARK = { size: 176, left: 88, top: 227 }
const SCREEN = { width: 1024, left: 352, top: 72 }

/** For pages without an image of their own: the logo and a collection. */
export async function makeSharedPicture(files: Map<string, Uint8Array>): Promise<SharedPicture> {
  const mark = await sharp(path.join(WEB, 'public/favicon.svg'), { density: (72 * MARK.size) / 64 })
    .resize(MARK.size)
    .png()
    .toBuffer()
  const screen = await sharp(path.join(WEB, 'components/site/home-screens/media-light.webp'))
    .resize({ width: SCREEN.width })
    .extract({ left: 0, top: 0, width: SHARED.width - SCREEN.left, height: SHARED.height - SCREEN.top })
    .toBuffer()
  const picture = await sharp({ create: { ...SHARED, channels: 3, background: GROUND } })
    .composite([
      { input: mark, left: MARK.left, top: MARK.top },
      { input: screen, left: SCREEN.left, top: SCREEN.top },
    ])
    .jpeg({ quality: 80, mozjpeg: true })
    .toBuffer()
  const name = `/assets/content/cairn-${createHash('sha256').update(picture).digest('hex').slice(0, 8)}-shared.jpg`
  files.set(name, picture)
  return { path: name, alt: 'A collection in Cairn, with photos of a journey in rows by day' }
}

/** An image in the text. Its space is reserved before it loads. A title becomes the caption. */
export function figureHtml({ src, srcset, width, height }: MadePicture, alt: string, title: string | null): string {
  const img = `<img src="${src}" srcset="${srcset}" sizes="${COLUMN}" width="${width}" height="${height}" alt="${escapeHtml(alt)}" loading="lazy" decoding="async">`
  return `<figure>${img}${title ? `<figcaption>${escapeHtml(title)}</figcaption>` : ''}</figure>`
}
