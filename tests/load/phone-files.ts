import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { shot } from '../support/shots.ts'

/** The time zone of a reader for whom a screenshot has the time in its name. */
export const PHONE_ZONE = 'Europe/Zurich'

/** One press of the button: `files` are paths, of which the first stands for all. `at` in ms. */
export interface Pressed {
  files: string[]
  at: number
}

type Files = Record<string, Uint8Array>
/** Files by name. `base` is a name without its extension, `id` 36 characters that no other shot has. */
type Kind = (shot: { base: string; at: number; id: string }) => Promise<Files>

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures')
const [MINUTE, HOUR] = [60_000, 3_600_000]
const START = Date.UTC(2024, 0, 8, 12)

const livePair: Kind = async ({ base, at, id }) => ({
  [`${base}.JPG`]: await photo([640, 480], at, id),
  [`${base}.MOV`]: await film(at, id),
})

/** A phone's usual mix, ten files. Only the first has a camera's twelve megapixels, so that 500 files take minutes on two cores. */
const KINDS: Kind[] = [
  async ({ base, at }) => ({ [`${base}.JPG`]: await photo([4000, 3000], at) }),
  async ({ base, at }) => ({ [`${base}.HEIC`]: await heic(at) }),
  livePair,
  async ({ base, at, id }) => ({ [`${base}.MOV`]: await film(at, id) }),
  async ({ at }) => ({ [`Screenshot_${wall(at, 1).replace(/[-:]/g, '').replace('T', '-')}.png`]: await screenshot() }),
  async ({ base, at }) => ({ [`${base}.HEIC`]: await heic(at) }),
  livePair,
  async ({ base, at }) => ({ [`${base}.JPG`]: await photo([1600, 1200], at) }),
]

/** Writes so many new files into a folder, no two alike. Each shot is of a minute of its own, and they come in no order of time. */
export async function phoneFiles(folder: string, count: number): Promise<Pressed[]> {
  const pressed: Pressed[] = []
  for (let [nth, left] = [0, count]; left > 0; nth++) {
    // A prime number: no minute comes twice.
    const at = START + ((nth * 7919) % count) * MINUTE
    const id = `7A1C8E0B-5A0E-4D2C-9C55-${String(nth).padStart(12, '0')}`
    const made = await KINDS[nth % KINDS.length]?.({ base: `IMG_${String(nth).padStart(4, '0')}`, at, id })
    const named = Object.entries(made ?? {}).slice(0, left)
    for (const [name, bytes] of named) await writeFile(path.join(folder, name), bytes)
    pressed.push({ files: named.map(([name]) => path.join(folder, name)), at })
    left -= named.length
  }
  return pressed
}

/** `2024-01-08T13:00:00`, so many hours ahead of UTC. */
const wall = (at: number, hours: number) => new Date(at + hours * HOUR).toISOString().slice(0, 19)

const inExif = (at: number, hours: number) => wall(at, hours).replaceAll('-', ':').replace('T', ' ')

async function photo(size: [number, number], at: number, contentId?: string): Promise<Uint8Array> {
  return shot(await (await drawn(...size)).jpeg().toBuffer(), { date: inExif(at, 1), ...(contentId ? { contentId } : {}) })
}

const screenshot = async () => (await drawn(1179, 2556)).png().toBuffer()

/** Coarse noise, enlarged, has about as many bytes as a photo. */
async function drawn(width: number, height: number): Promise<Sharp> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  const create = { width: Math.round(width / 4), height: Math.round(height / 4), channels: 3 as const, background: 'teal', noise }
  return sharp(await sharp({ create }).png().toBuffer()).resize(width, height, { fit: 'fill' })
}

const heic = (at: number) => edited('photos/phone.heic', { '2024:10:01 09:00:00': inExif(at, 2) })

const film = (at: number, id: string) =>
  edited('films/iphone.mov', {
    '2020-12-19T23:14:27': wall(at, 0),
    '2020-12-20T00:14:27': wall(at, 1),
    '7A1C8E0B-5A0E-4D2C-9C55-0A6B5B1E2F3D': id,
  })

/** HEIC and MOV cannot be made here, so this is a fixture whose texts are replaced by others of the same length. */
async function edited(name: string, texts: Record<string, string>): Promise<Uint8Array> {
  const bytes = await readFile(path.join(FIXTURES, name))
  for (const [before, after] of Object.entries(texts)) {
    const at = bytes.indexOf(before)
    if (at < 0 || before.length !== after.length) throw new Error(`${before} of ${name} cannot become ${after}`)
    bytes.write(after, at)
  }
  return bytes
}
