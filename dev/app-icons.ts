import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { PRIMARY_COLORS } from '../contract/colors.ts'

// Draws the icons of the installed app, /favicon.ico, and the favicon in each primary colour, from the logo in web/public/favicon.svg. Run `node
// dev/app-icons.ts` after the logo or web/styles/palettes.css has changed.

const PUBLIC = path.join(import.meta.dirname, '../web/public')

const svg = await readFile(path.join(PUBLIC, 'favicon.svg'), 'utf8')
const stones = /<g [^>]*>(.*)<\/g>/s.exec(svg)?.[1]
const ground = /<rect width="64" height="64" rx="14" fill="([^"]+)"\/>/.exec(svg)?.[1]
if (!stones || !ground) throw new Error('favicon.svg is no longer a ground with stones on it')

const drawing = (parts: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${parts}</svg>`
const scaled = (share: number, fill: string) =>
  `<g fill="${fill}" transform="translate(${32 * (1 - share)} ${32 * (1 - share)}) scale(${share})">${stones}</g>`

/** Platforms may crop a maskable icon to a circle of 80 % of its width. */
const maskable = drawing(`<rect width="64" height="64" fill="${ground}"/>${scaled(0.52, '#fff')}`)
/** Only the shape of a notification's badge is shown. */
const badge = drawing(scaled(0.9, '#fff'))

async function write(file: string, source: string, size: number): Promise<void> {
  const image = sharp(Buffer.from(source), { density: (72 * size) / 64 }).resize(size, size)
  await image.png({ compressionLevel: 9, palette: true }).toFile(path.join(PUBLIC, file))
}

await write('icon-192.png', svg, 192)
await write('icon-512.png', svg, 512)
await write('icon-maskable-192.png', maskable, 192)
await write('icon-maskable-512.png', maskable, 512)
await write('badge.png', badge, 96)

/** For programs that ask for /favicon.ico without reading the page: two sizes in one file, each a PNG. */
async function writeIco(file: string, sizes: number[]): Promise<void> {
  const images = await Promise.all(
    sizes.map((size) =>
      sharp(Buffer.from(svg), { density: (72 * size) / 64 })
        .resize(size, size)
        .png({ compressionLevel: 9, palette: true })
        .toBuffer(),
    ),
  )
  const header = Buffer.alloc(6 + 16 * images.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(images.length, 4)
  let offset = header.length
  for (const [nth, image] of images.entries()) {
    const at = 6 + 16 * nth
    header.writeUInt8(sizes[nth] ?? 0, at)
    header.writeUInt8(sizes[nth] ?? 0, at + 1)
    header.writeUInt16LE(1, at + 4)
    header.writeUInt16LE(32, at + 6)
    header.writeUInt32LE(image.length, at + 8)
    header.writeUInt32LE(offset, at + 12)
    offset += image.length
  }
  await writeFile(path.join(PUBLIC, file), Buffer.concat([header, ...images]))
}
await writeIco('favicon.ico', [16, 32])

const palettes = await readFile(path.join(PUBLIC, '../styles/palettes.css'), 'utf8')
await mkdir(path.join(PUBLIC, 'favicons'), { recursive: true })
for (const name of [...PRIMARY_COLORS, 'black']) {
  const fill = new RegExp(`\\[data-primary="${name}"\\] \\{[^}]*--primary-500: (oklch\\([^)]*\\));`).exec(palettes)?.[1] ?? '#000'
  await writeFile(path.join(PUBLIC, 'favicons', `${name}.svg`), svg.replace(ground, fill))
}
