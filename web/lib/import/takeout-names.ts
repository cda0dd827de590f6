import type { FoundFile } from './types.ts'

/** Google cuts the name of a sidecar before `.json` to this many characters. */
const MAX_STEM = 46
const SUPPLEMENT = '.supplemental-metadata'
/** Suffixes that Google adds to edited copies, in the languages of its users. */
const EDITED =
  /-(?:edited|bearbeitet|modifié|editado|editada|modificato|bewerkt|redigerad|redigert|redigeret|muokattu|edytowane|upraveno|szerkesztett|düzenlendi|изменено|編集済み|已修改|已編輯|수정됨|edi(?:t(?:e(?:d)?)?)?)$/i

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** Name without extension, and the extension with its dot. */
function parts(name: string): [stem: string, extension: string] {
  const at = name.lastIndexOf('.')
  return at > 0 ? [name.slice(0, at), name.slice(at)] : [name, '']
}

/** `IMG(1).jpg` and `IMG.jpg(1).json` belong to the same photo: the position of the number differs. */
function numbered(text: string): [text: string, number: string] {
  const found = /^(.*)\((\d+)\)$/s.exec(text)
  return found ? [found[1] ?? '', found[2] ?? ''] : [text, '']
}

/** Returns a function that finds the JSON sidecar of a photo of Google Takeout, also if its name was cut. */
export function sidecarFinder(sidecars: readonly FoundFile[]): (path: string) => FoundFile | null {
  const byKey = new Map<string, FoundFile>()
  for (const sidecar of sidecars) {
    const [stem, number] = numbered(nameOf(sidecar.path).replace(/\.json$/i, ''))
    byKey.set(keyOf(folderOf(sidecar.path), stem, number), sidecar)
  }
  return (path) => {
    const folder = folderOf(path)
    const [whole, extension] = parts(nameOf(path))
    const [stem, number] = numbered(whole)
    const plain = stem.replace(EDITED, '')
    for (const base of new Set([stem, plain])) {
      const found = sidecarNames(`${base}${extension}`)
        .map((name) => byKey.get(keyOf(folder, name, number)))
        .find(Boolean)
      if (found) return found
    }
    // The video of a live photo shares the sidecar of its photo.
    for (const other of ['.HEIC', '.heic', '.JPG', '.jpg', '.JPEG', '.jpeg', '.MP', '']) {
      const found = sidecarNames(`${plain}${other}`)
        .map((name) => byKey.get(keyOf(folder, name, number)))
        .find(Boolean)
      if (found) return found
    }
    return null
  }
}

const keyOf = (folder: string, stem: string, number: string) => `${folder}\n${stem.toLowerCase()}\n${number}`

/** All possible stems of the sidecar of a photo, most likely first. */
function sidecarNames(name: string): string[] {
  const full = `${name}${SUPPLEMENT}`
  const names = [name, full]
  for (let length = Math.min(full.length, MAX_STEM + 5); length > name.length; length--) names.push(full.slice(0, length))
  for (let length = Math.min(name.length - 1, MAX_STEM + 1); length >= Math.min(name.length - 1, MAX_STEM - 2); length--) {
    if (length >= MAX_STEM - 2) names.push(name.slice(0, length))
  }
  return names
}
