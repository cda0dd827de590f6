import { t } from '#say'
import { LIMITS } from '../../../contract/limits.ts'
import { isArchive } from './archive-name.ts'
import { nameIn } from './paths.ts'
import { readTar } from './tar-reader.ts'
import { type FoundFile, type FoundFiles, type ReadOptions, UnreadableError } from './types.ts'
import { isLitter, readZip } from './zip-reader.ts'

/** The entries of a drop or the chosen files; empty if the import dialog should ask. */
export interface ToImport {
  entries?: readonly FileSystemEntry[]
  files?: readonly File[]
}

/** `file` is null if it, or the folder of this path, cannot be read. */
export interface GivenFile {
  path: string
  file: File | null
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

/** All files of a drop, including those in folders. The entries must be taken in the event itself: the transfer is emptied after it. */
export async function filesOfEntries(entries: readonly FileSystemEntry[]): Promise<GivenFile[]> {
  return (await Promise.all(entries.map(filesOf))).flat()
}

async function filesOf(entry: FileSystemEntry): Promise<GivenFile[]> {
  if (isLitter(entry.name)) return []
  const given = (file: File | null) => ({ path: entry.fullPath.replace(/^\//, ''), file })
  if (isFile(entry)) {
    return new Promise((resolve) =>
      entry.file(
        (file) => resolve([given(file)]),
        () => resolve([given(null)]),
      ),
    )
  }
  if (!isDirectory(entry)) return []
  const reader = entry.createReader()
  const files: GivenFile[] = []
  // A reader answers in batches of up to a hundred, then with an empty one.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[] | null>((resolve) => reader.readEntries(resolve, () => resolve(null)))
    if (batch === null) files.push(given(null))
    if (!batch || batch.length === 0) return files
    // As arguments of one call, more than about 125,000 fill the stack.
    for (const file of await filesOfEntries(batch)) files.push(file)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
