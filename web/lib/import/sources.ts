import { t } from '#say'
import { LIMITS } from '../../../contract/limits.ts'
import type { GivenFile } from '../entries.ts'
import { isArchive } from './archive-name.ts'
import { isLitter, nameIn } from './paths.ts'
import { readTar } from './tar-reader.ts'
import { type FoundFile, type FoundFiles, type Reading, type ReadOptions, UnreadableError } from './types.ts'
import { readZip } from './zip-reader.ts'

/** The entries of a drop or the chosen files; empty if the import dialog should ask. */
export interface ToImport {
  entries?: readonly FileSystemEntry[]
  files?: readonly File[]
}

export function chosen(files: readonly File[]): GivenFile[] {
  return files.map((file) => ({ path: file.webkitRelativePath || file.name, file }))
}

/** All files, including the contents of archives: a large export comes in several. */
export async function findFiles(input: readonly GivenFile[], options: ReadOptions): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], refused: [] }
  for (const { path, file } of input) {
    if (isLitter(path)) continue
    if (!file) {
      found.refused.push({ name: nameIn(path), reason: t`It could not be read. Is the file still where it was?` })
      continue
    }
    if (!isArchive(file.name)) {
      found.files.push({ path, size: file.size, modified: file.lastModified, open: async () => file })
      continue
    }
    try {
      const { files, refused } = await (/\.zip$/i.test(file.name) ? readZip(file) : readTar(file, options))
      for (const one of files) found.files.push({ ...one, archive: path })
      for (const one of refused) found.refused.push(one)
    } catch (error) {
      if (!(error instanceof UnreadableError) || input.length === 1) throw error
      found.refused.push({ name: file.name, reason: error.message })
    }
  }
  return found
}

/** Archives in archives are not opened: most are backups of something else, and they may be nested without an end. */
export function withoutNested({ files, refused }: FoundFiles): FoundFiles {
  const isNested = ({ path, archive }: FoundFile) => archive !== undefined && isArchive(path)
  const reason = t`It is an archive inside an archive. Unpack it and import it by itself`
  return {
    files: files.filter((file) => !isNested(file)),
    refused: [...refused, ...files.filter(isNested).map(({ path }) => ({ name: nameIn(path), reason }))],
  }
}

/** Bytes; larger files are not metadata. */
const MAX_TEXT = 512 * 1024 * 1024

export async function textOf(file: FoundFile, most = MAX_TEXT): Promise<string> {
  if (file.size > most) throw new UnreadableError(t`It is too large to be read`)
  return (await file.open()).text()
}

/** Reason why a file cannot be stored as an asset, or null. */
export function unstorable({ size }: FoundFile): string | null {
  if (size === 0) return t`The file is empty`
  return size > LIMITS.fileSize ? t`A file may have at most 5 GiB` : null
}

/** The file of a post; null if it is missing or cannot be stored, which is listed under `name`. */
export function takeFile(file: FoundFile | undefined, name: string, { refused, used }: Reading): FoundFile | null {
  if (file) used.add(file)
  const reason = file ? unstorable(file) : t`Its file is not in the export`
  if (reason !== null) refused.push({ name, reason })
  return reason === null && file ? file : null
}

export const beginReading = (used: Iterable<FoundFile> = []): Reading => ({ posts: [], assets: [], refused: [], used: new Set(used) })

/** The reader's result. `others` are the files it did not use, which are imported like those of any folder. */
export function endReading({ used, ...found }: Reading, files: readonly FoundFile[]) {
  return { ...found, others: files.filter((file) => !used.has(file)) }
}
