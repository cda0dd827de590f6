/** Opens the file chooser; resolves to an empty list when it is dismissed. */
export function pickFiles(accept?: string): Promise<File[]> {
  return choose((input) => {
    if (accept) input.accept = accept
  })
}

/** The same for one file; undefined when it is dismissed. */
export async function pickFile(accept: string): Promise<File | undefined> {
  const [file] = await choose((input) => {
    input.accept = accept
    input.multiple = false
  })
  return file
}

/** The same for a folder: all files in it, with their paths. */
export function pickFolder(): Promise<File[]> {
  return choose((input) => {
    input.webkitdirectory = true
  })
}

function choose(prepare: (input: HTMLInputElement) => void): Promise<File[]> {
  const { promise, resolve } = Promise.withResolvers<File[]>()
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  prepare(input)
  input.addEventListener('change', () => resolve([...(input.files ?? [])]))
  input.addEventListener('cancel', () => resolve([]))
  input.click()
  return promise
}

/** Whether a drag carries files; nothing more is known before the drop. */
export function carriesFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') ?? false
}

/** Files of a drop, including those in folders. Must be called in the event itself: the transfer is emptied after it. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null)
  const plain = [...transfer.files]
  if (!entries.some((entry) => entry?.isDirectory)) return plain
  const nested = await Promise.all(entries.map((entry) => (entry ? filesOf(entry) : [])))
  return nested.flat()
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  // Files that operating systems leave in folders.
  if (entry.name.startsWith('.') || entry.name === 'Thumbs.db') return []
  if (isFile(entry))
    return new Promise((resolve) =>
      entry.file(
        (file) => resolve([file]),
        () => resolve([]),
      ),
    )
  if (!isDirectory(entry)) return []
  const reader = entry.createReader()
  const files: File[] = []
  // A reader answers in batches of up to a hundred, then with an empty one.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])))
    if (batch.length === 0) return files
    files.push(...(await Promise.all(batch.map(filesOf))).flat())
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
