import { fill, type Patch, replace } from './patches.ts'
import { read, type Source, textOf, Uncleanable } from './source.ts'

const MAX_SIZE = 128 * 1024 * 1024
const [EXTENSION, IMAGE, END] = [0x21, 0x2c, 0x3b]
const [CONTROL, APPLICATION] = [0xf9, 0xff]
/** How often a GIF repeats itself, and its colour profile. */
const APPLICATIONS = /^(NETSCAPE2\.0|ANIMEXTS1\.0|ICCRGBG1012)$/

/** Empties comments, texts and what other programs added, such as XMP. Throws Uncleanable. */
export async function gifPatches(source: Source): Promise<Patch[]> {
  if (source.size > MAX_SIZE) throw new Uncleanable('kind')
  const head = await read(source, 0, 13)
  if (!/^GIF8[79]a$/.test(textOf(head.subarray(0, 6)))) throw new Uncleanable()
  const patches: Patch[] = []
  for (let at = 13 + colors(head[10] ?? 0); ; ) {
    const [kind, label = 0] = await read(source, at, Math.min(2, source.size - at))
    if (kind === END) return [...patches, ...fill([at + 1, source.size])]
    if (kind === IMAGE) {
      const image = await read(source, at, 10)
      at = (await endOfBlocks(source, at + 11 + colors(image[9] ?? 0))) + 1
    } else if (kind === EXTENSION) {
      const end = await endOfBlocks(source, at + 2)
      const kept = label === CONTROL || (label === APPLICATION && APPLICATIONS.test(textOf(await read(source, at + 3, 11))))
      if (!kept) patches.push(...emptied(at + 2, end))
      at = end + 1
    } else throw new Uncleanable()
  }
}

/** Bytes of a table of colours. */
const colors = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Where the empty block is that ends these: each begins with its length. */
async function endOfBlocks(source: Source, from: number): Promise<number> {
  for (let at = from; ; ) {
    const block = await source.from(at < source.size ? at : missing())
    for (let i = 0; i < block.length; ) {
      const length = block[i] ?? 0
      if (length === 0) return at + i
      i += 1 + length
      if (i >= block.length) {
        at += i
        break
      }
    }
  }
}

function missing(): never {
  throw new Uncleanable()
}

/** The same bytes as blocks of one byte, the first with a second one if it has to be. */
function emptied(start: number, end: number): Patch[] {
  if (end - start < 2) return []
  if ((end - start) % 2 === 0) return fill([start, end], 1)
  return [replace(start, new Uint8Array([2])), ...fill([start + 1, end], 1)]
}
