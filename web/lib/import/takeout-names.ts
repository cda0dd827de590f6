import { folderOf, nameIn } from './paths.ts'

/** A sidecar of Takeout: the path of its JSON, and the name of the photo as it is written inside, which is never cut. */
export interface Titled {
  path: string
  title: string
}

/** Google cuts the name of a sidecar to 46 characters before `.json`, give or take one or two over the years. */
const CUT = 44
const SUPPLEMENT = '.supplemental-metadata'

/** Comparable name: systems write accents and cases differently, and a cut may have left half a character. */
const nameOf = (path: string) => nameIn(path).normalize('NFC').toLowerCase()
const keyOf = (...parts: string[]) => parts.join('\n')
/** Google replaces what file systems do not allow. */
const loose = (text: string) => text.replace(/[^\p{L}\p{M}\p{N}]/gu, '_')

/** Name without extension, and the extension with its dot. */
function parts(name: string): [stem: string, extension: string] {
  const at = name.lastIndexOf('.')
  return at > 0 ? [name.slice(0, at), name.slice(at)] : [name, '']
}

function numbered(text: string): [text: string, number: string] {
  const found = /^(.*)\((\d+)\)$/s.exec(text)
  return found ? [found[1] ?? '', found[2] ?? ''] : [text, '']
}

/** The photo's name in that of a sidecar: without `.supplemental-metadata`, which may be cut to a mere dot. */
function photoIn(text: string): string {
  const at = text.lastIndexOf('.')
  return at > 0 && SUPPLEMENT.startsWith(text.slice(at)) ? text.slice(0, at) : text
}

/** The number may also stand before `.supplemental-metadata`: `IMG.jpg(1).supplemental-metadata.json`. */
function partsOfSidecar(path: string): { text: string; number: string; photo: string } {
  const [text, number] = numbered(nameOf(path).replace(/\.json$/, ''))
  const photo = photoIn(text)
  const [inner, inside] = numbered(photo)
  if (number || !inside || text === photo || !/\.[a-z0-9]{2,4}$/.test(inner)) return { text, number, photo }
  return { text: inner + text.slice(photo.length), number: inside, photo: inner }
}

/** One way to read the name of a photo. `number` is the one that Google added to tell it from another photo of the same name. */
interface Reading {
  name: string
  stem: string
  extension: string
  number: string
}

/** A number at the end may belong to the photo's own name, or be Google's: `IMG(1).jpg` and `IMG.jpg(1).json` are one photo. */
function readingsOf(name: string): Reading[] {
  const [whole, extension] = parts(name)
  const [stem, number] = numbered(whole)
  const own = { name, stem: whole, extension, number: '' }
  return number ? [own, { name: stem + extension, stem, extension, number }] : [own]
}

/**
 * Returns a function that finds the sidecar of a photo or film, in its own folder. The first rule that finds one decides:
 * 1. The sidecar bears the file's whole name: nothing is left to guess.
 * 2. The sidecar's name was cut, and the file's begins with it: then the title inside tells long names apart.
 * 3. The sidecar differs by the extension: the film of a Live Photo and a title without extension have the sidecar of the same stem.
 * 4. The file's name continues with `-word` or `~2`: an edited copy, in any language, has the sidecar of its original.
 * A file whose name only resembles another gets none: no date is better than a wrong one.
 */
export function sidecarFinder<T extends Titled>(sidecars: readonly T[]): (path: string) => T | null {
  const named = new Map<string, T>()
  const cut = new Map<string, { sidecar: T; number: string }[]>()
  const stems = new Map<string, { sidecar: T; photo: string }[]>()
  for (const sidecar of sidecars) {
    const folder = folderOf(sidecar.path)
    const { text, number, photo } = partsOfSidecar(sidecar.path)
    named.set(keyOf(folder, text, number), sidecar)
    // Half a character at the end is written as a question mark.
    const whole = text.replace(/[?\ufffd\ud800-\udbff]+$/, '')
    if (lengthAsCut(sidecar.path) >= CUT) push(cut, keyOf(folder, whole), { sidecar, number })
    for (const stem of new Set([photo, parts(photo)[0]])) push(stems, keyOf(folder, stem, number), { sidecar, photo })
  }

  function withWholeName(folder: string, { name, number }: Reading): T | null {
    const longest = name + SUPPLEMENT
    for (let length = longest.length; length >= name.length; length--) {
      const found = named.get(keyOf(folder, longest.slice(0, length), number))
      if (found) return found
    }
    return null
  }

  function withCutName(folder: string, { name, stem, number }: Reading): T | null {
    for (let length = name.length - 1; length >= CUT / 2; length--) {
      const candidates = (cut.get(keyOf(folder, name.slice(0, length))) ?? []).filter(({ sidecar }) => mayBe(sidecar, stem))
      const found = candidates.find((candidate) => candidate.number === number) ?? candidates[0]
      if (found) return found.sidecar
    }
    return null
  }

  function withSameStem(folder: string, { name, stem, extension, number }: Reading): T | null {
    // `PXL.MP` is the film of `PXL.MP.jpg`.
    const found = stems.get(keyOf(folder, stem, number)) ?? stems.get(keyOf(folder, name, number)) ?? []
    return (found.find(({ photo }) => photo.endsWith(extension)) ?? found[0])?.sidecar ?? null
  }

  function ofOriginal(folder: string, reading: Reading): T | null {
    const { name, stem } = reading
    for (const base of [...basesOf(stem), ...basesOf(name)]) {
      const found = withSameStem(folder, { ...reading, name: base, stem: base })
      if (found) return found
    }
    return null
  }

  return (path) => {
    const folder = folderOf(path)
    const readings = readingsOf(nameOf(path))
    for (const rule of [withWholeName, withCutName, withSameStem, ofOriginal]) {
      for (const reading of readings) {
        const found = rule(folder, reading)
        if (found) return found
      }
    }
    return null
  }
}

function push<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

/** Length of the sidecar's name without number and `.json`, in the characters that Google counted. */
function lengthAsCut(path: string): number {
  return nameIn(path).replace(/(\(\d+\))?\.json$/i, '').length
}

/** Whether the title of a sidecar does not contradict the stem of a file, which is cut too. */
function mayBe({ title }: Titled, stem: string): boolean {
  return title === '' || loose(nameOf(title.replaceAll('/', '_'))).startsWith(loose(stem).replace(/_+$/, ''))
}

/** `IMG` for `IMG-edited` and `IMG~2`, both for `IMG~2-edited`. A digit after the hyphen is part of a name: `DSC-0001`. */
function basesOf(stem: string): string[] {
  const unedited = stem.replace(/-[^-\d]*$/, '')
  const first = unedited.replace(/~\d+$/, '')
  return [...new Set([unedited, first])].filter((base) => base !== stem && base !== '')
}
