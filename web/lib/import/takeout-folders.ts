import { t } from '#say'
import { folderOf, nameIn } from './paths.ts'
import type { FoundFile, LeftOut } from './types.ts'

/** Its folder, also as systems name the second one: `Takeout 2`, `Takeout (1)`. */
const ROOT = /^(?:.*?\/)??Takeout(?:[ -]?\(?\d+\)?)?\//

const ARCHIVE = /^takeout-\d{8}T\d{6}Z/i
/** What `placesOf` puts before a place, if there are several accounts. */
const ACCOUNT = /^(takeout-[^/:]*)?:/i

/**
 * Returns the path of a file below the folder `Takeout`, so that the unpacked parts of an export are one again. Exports of two accounts may use
 * the same paths: then the archive's name comes first.
 */
export function placesOf(files: readonly FoundFile[]): (file: FoundFile) => string {
  const accountOf = ({ archive = '' }: FoundFile) => ARCHIVE.exec(nameIn(archive))?.[0]
  const several = new Set(files.map(accountOf).filter(Boolean)).size > 1
  return (file) => `${several ? `${accountOf(file) ?? ''}:` : ''}${file.path.replace(ROOT, '')}`
}

/** Whether the files may be an export of Google, of whatever products. */
export const mayBeExport = (files: readonly FoundFile[]) =>
  files.some(({ path }) => ROOT.test(path) && path.replace(ROOT, '').includes('/'))

const topOf = (place: string) => place.split('/')[0] ?? ''
const depthOf = (place: string) => place.split('/').length

interface Split {
  /** In the folders of Google Photos. */
  photos: FoundFile[]
  /** Ordinary files, which lie in no export. */
  others: FoundFile[]
  leftOut: LeftOut[]
}

/**
 * The files of Google Photos, and how many there are of other products beside it. Its folder is called differently in each language, so it is
 * known by what is in it: sidecars lie two folders below, as in `Google Fotos/Photos from 2019/a.jpg.json`. Only in a folder `Takeout` that is
 * laid out as Google does it is anything left out. Elsewhere sidecars count too, and `read` are the JSONs that are no files to import.
 */
export function splitProducts(
  files: readonly FoundFile[],
  placeOf: (file: FoundFile) => string,
  { sidecars, read }: { sidecars: readonly FoundFile[]; read: ReadonlySet<FoundFile> },
): Split {
  const below = files.filter(({ path }) => ROOT.test(path))
  const inExport = new Set(isLaidOut(below, placeOf, sidecars) ? below : [])
  const [inside, outside] = [sidecars.filter((file) => inExport.has(file)), sidecars.filter((file) => !inExport.has(file))]
  const products = productsWith(inside.map(placeOf))
  if (products.size === 0) for (const root of withoutSidecars([...inExport].map(placeOf))) products.add(root)
  const folders = new Set(outside.map((file) => folderOf(folderOf(placeOf(file)))))
  const [photos, others, left] = [[] as FoundFile[], [] as FoundFile[], new Map<string, number>()]
  for (const file of files) {
    const place = placeOf(file)
    if (inExport.has(file)) {
      if (products.has(topOf(place))) photos.push(file)
      // Beside the products lies only the export's own page.
      else if (!isOwnPage(place)) {
        const product = place.includes('/') ? topOf(place.replace(ACCOUNT, '')) : t`Other files`
        left.set(product, (left.get(product) ?? 0) + 1)
      }
    } else if (read.has(file) || (isWithin(place, folders) && !/\.(json|html?)$/i.test(place))) photos.push(file)
    else others.push(file)
  }
  const leftOut: LeftOut[] = [...left].map(([name, count]) => ({ name, files: count }))
  return { photos, others, leftOut: leftOut.toSorted((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1)) }
}

function isWithin(place: string, folders: ReadonlySet<string>): boolean {
  for (let folder = folderOf(place); ; folder = folderOf(folder)) {
    if (folders.has(folder)) return true
    if (folder === '') return false
  }
}

const isOwnPage = (place: string) => !place.includes('/') && /\.html?$/i.test(place)

/**
 * Whether a folder `Takeout` is one of Google, not somebody's pictures of food: its archive has Google's name, or it holds sidecars two folders
 * deep, Google's page, mail or contacts, or a product with Google's name and pictures.
 */
function isLaidOut(below: readonly FoundFile[], placeOf: (file: FoundFile) => string, sidecars: readonly FoundFile[]): boolean {
  const known = new Set(sidecars)
  return below.some((file) => {
    const place = placeOf(file)
    return (
      ARCHIVE.test(nameIn(file.archive ?? '')) ||
      isOwnPage(place) ||
      (place.includes('/') && /\.(mbox|vcf)$/i.test(place)) ||
      (depthOf(place) === 3 && (known.has(file) || (/google/i.test(topOf(place)) && PICTURE_OR_FILM.test(place))))
    )
  })
}

/** One product with sidecars for each account: the one with Google's name, then with the most. Drive may hold copies of some. */
function productsWith(sidecars: readonly string[]): Set<string> {
  const count = new Map<string, number>()
  // Deeper ones are of a backup within a product.
  for (const place of sidecars.filter((place) => depthOf(place) === 3)) count.set(topOf(place), (count.get(topOf(place)) ?? 0) + 1)
  const byAccount = Map.groupBy(count, ([root]) => ACCOUNT.exec(root)?.[0])
  const isNamed = ([root]: [string, number]) => Number(/google/i.test(root))
  const first = (roots: [string, number][]) => roots.toSorted((a, b) => isNamed(b) - isNamed(a) || b[1] - a[1])[0]?.[0]
  return new Set([...byAccount.values()].flatMap((roots) => first(roots) ?? []))
}

const PICTURE_OR_FILM =
  /\.(jpe?g|png|gif|webp|avif|hei[cf]|tiff?|bmp|dng|raw|cr[23]|nef|arw|orf|rw2|mp4?|mov|m4v|3gp|avi|mkv|mpe?g|mts|m2ts|wmv|webm)$/i

/** A part of an export may hold photos and none of their sidecars: then its product bears Google's name and holds nothing else. */
function withoutSidecars(places: readonly string[]): string[] {
  const byRoot = Map.groupBy(places, topOf)
  // `Google Photos/Rome/metadata.json` is of an album, `Google Photos/print-subscriptions.json` of the account.
  const fits = (place: string) => PICTURE_OR_FILM.test(place) || (/\.json$/i.test(place) && depthOf(place) <= 3)
  const isOne = ([root, own]: [string, string[]]) =>
    /google/i.test(root) && own.some((place) => PICTURE_OR_FILM.test(place)) && own.every(fits)
  return [...byRoot].filter(isOne).map(([root]) => root)
}
