import { isLitter } from './import/paths.ts'

/** `file` is null if it, or the folder of this path, cannot be read. */
export interface GivenFile {
  path: string
  file: File | null
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
