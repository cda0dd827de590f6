import type { FoundFile, LeftOut } from './types.ts'

/** Its folder, also as systems name the second one: `Takeout 2`, `Takeout (1)`. */
const ROOT = /^(?:.*?\/)??Takeout(?:[ -]?\(?\d+\)?)?\//

/** What `placesOf` puts before a place, if there are several accounts. */
const ACCOUNT = /^(takeout-[^/:]*)?:/i

/**
 * Returns the path of a file below the folder `Takeout`, so that the unpacked parts of an export are one again. Exports of two accounts may use
 * the same paths: then the archive's name comes first.
 */
export function placesOf(files: readonly FoundFile[]): (file: FoundFile) => string {
  const accountOf = ({ archive = '' }: FoundFile) => /^takeout-\d{8}T\d{6}Z/i.exec(archive)?.[0]
  const several = new Set(files.map(accountOf).filter(Boolean)).size > 1
  return (file) => `${several ? `${accountOf(file) ?? ''}:` : ''}${file.path.replace(ROOT, '')}`
}

/** Whether the files are an export of Google, of whatever products. */
export const isExport = (files: readonly FoundFile[]) => files.some(({ path }) => ROOT.test(path) && path.replace(ROOT, '').includes('/'))

const upTo = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))
const topOf = (place: string) => place.split('/')[0] ?? ''

/**
 * The files of Google Photos, and how many there are of other products. Its folder is called differently in each language, so it is known by
 * what is in it: sidecars lie two folders below, as in `Google Fotos/Photos from 2019/a.jpg.json`. `sidecars` are their places.
 */
export function splitProducts(files: readonly FoundFile[], placeOf: (file: FoundFile) => string, sidecars: readonly string[]) {
  const roots = isExport(files) ? productsWith(sidecars) : new Set(sidecars.map((place) => upTo(upTo(place))))
  if (roots.size === 0) for (const root of withoutSidecars(files.map(placeOf))) roots.add(root)
  const inRoot = (place: string) => {
    for (let folder = upTo(place); ; folder = upTo(folder)) {
      if (roots.has(folder)) return true
      if (folder === '') return false
    }
  }
  const beside = [...roots].map(upTo).find((folder) => folder !== '') ?? ''
  const [photos, others] = [[] as FoundFile[], new Map<string, number>()]
  for (const file of files) {
    const place = placeOf(file)
    if (inRoot(place)) photos.push(file)
    // Beside the products lies only the export's own page.
    else if (place.includes('/') || !/\.html?$/i.test(place)) {
      const product = place.includes('/') ? productOf(place, beside) : 'Other files'
      others.set(product, (others.get(product) ?? 0) + 1)
    }
  }
  const leftOut: LeftOut[] = [...others].map(([name, count]) => ({ name, files: count }))
  return { photos, leftOut: leftOut.toSorted((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1)) }
}

/** One product with sidecars for each account: the one with Google's name, then with the most. Drive may hold copies of some. */
function productsWith(sidecars: readonly string[]): Set<string> {
  const count = new Map<string, number>()
  // Deeper ones are of a backup within a product.
  for (const place of sidecars.filter((place) => place.split('/').length <= 3)) count.set(topOf(place), (count.get(topOf(place)) ?? 0) + 1)
  const byAccount = Map.groupBy(count, ([root]) => ACCOUNT.exec(root)?.[0])
  const isNamed = ([root]: [string, number]) => Number(/google/i.test(root))
  const first = (roots: [string, number][]) => roots.toSorted((a, b) => isNamed(b) - isNamed(a) || b[1] - a[1])[0]?.[0]
  return new Set([...byAccount.values()].flatMap((roots) => first(roots) ?? []))
}

/** The folder beside Google Photos, which lies in `parent`. */
function productOf(place: string, parent: string): string {
  const below = parent && place.startsWith(`${parent}/`) ? place.slice(parent.length + 1) : place.replace(ACCOUNT, '')
  return topOf(below)
}

const PICTURE_OR_FILM =
  /\.(jpe?g|png|gif|webp|avif|hei[cf]|tiff?|bmp|dng|raw|cr[23]|nef|arw|orf|rw2|mp4?|mov|m4v|3gp|avi|mkv|mpe?g|mts|m2ts|wmv|webm)$/i

/** A part of an export may hold photos and none of their sidecars: then its product bears Google's name and holds nothing else. */
function withoutSidecars(places: readonly string[]): string[] {
  const byRoot = Map.groupBy(places, topOf)
  // `Google Photos/Rome/metadata.json` is of an album.
  const fits = (place: string) => PICTURE_OR_FILM.test(place) || (/\.json$/i.test(place) && place.split('/').length === 3)
  return [...byRoot].filter(([root, own]) => /google/i.test(root) && own.every(fits)).map(([root]) => root)
}
