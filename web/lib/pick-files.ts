import { filesOfEntries, type GivenFile } from './entries.ts'

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
export function droppedFiles(transfer: DataTransfer): Promise<GivenFile[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  if (entries.some(({ isDirectory }) => isDirectory)) return filesOfEntries(entries)
  return Promise.resolve([...transfer.files].map((file) => ({ path: file.name, file })))
}
