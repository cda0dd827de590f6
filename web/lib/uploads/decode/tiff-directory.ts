/** Bytes of one entry of a directory, and of the number of entries before them. */
const ENTRY = 12
const COUNT = 2
const MAX_PAGES = 200
const [WIDTH, HEIGHT] = [256, 257]
/** Tags that point to further directories: pictures inside pictures, EXIF, GPS. */
const POINTERS = [330, 34665, 34853, 40965]
/** A tag of no meaning. */
const IGNORED = 65_000

interface Page {
  at: number
  width: number
  height: number
}

/** Pages of a TIFF with their size in pixels. A chain that leads back to itself, or out of the file, ends there. */
export function pagesOf(view: DataView): Page[] {
  const little = view.getUint16(0) === 0x4949
  const pages: Page[] = []
  for (let at = view.getUint32(4, little); isDirectory(view, at, little) && pages.length < MAX_PAGES; at = nextOf(view, at, little)) {
    if (pages.some((page) => page.at === at)) break
    pages.push({ at, width: numberOf(view, at, WIDTH, little), height: numberOf(view, at, HEIGHT, little) })
  }
  return pages
}

/** Changes the bytes so that this page is the only directory: decoders follow every pointer, also in a circle. */
export function keepOnly(view: DataView, { at }: Page): void {
  const little = view.getUint16(0) === 0x4949
  view.setUint32(4, at, little)
  view.setUint32(endOf(view, at, little), 0, little)
  for (const entry of entriesOf(view, at, little))
    if (POINTERS.includes(view.getUint16(entry, little))) view.setUint16(entry, IGNORED, little)
}

const endOf = (view: DataView, at: number, little: boolean) => at + COUNT + ENTRY * view.getUint16(at, little)
const nextOf = (view: DataView, at: number, little: boolean) => view.getUint32(endOf(view, at, little), little)

function isDirectory(view: DataView, at: number, little: boolean): boolean {
  return at >= 8 && at + COUNT <= view.byteLength && endOf(view, at, little) + 4 <= view.byteLength
}

function entriesOf(view: DataView, at: number, little: boolean): number[] {
  return Array.from({ length: view.getUint16(at, little) }, (_, i) => at + COUNT + ENTRY * i)
}

/** Of a number of 16 or 32 bits; 0 without one. */
function numberOf(view: DataView, at: number, tag: number, little: boolean): number {
  const entry = entriesOf(view, at, little).find((one) => view.getUint16(one, little) === tag)
  if (entry === undefined) return 0
  return view.getUint16(entry + 2, little) === 3 ? view.getUint16(entry + 8, little) : view.getUint32(entry + 8, little)
}
