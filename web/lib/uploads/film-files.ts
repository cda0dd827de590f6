/** Playable films that have been made and not been sent, as files of the browser: a folder for each account, a file for each asset. */
const FOLDER = 'films'

/** The name must be no path, and ids of accounts may have any characters. */
const nameOf = (userId: string) => encodeURIComponent(userId).replaceAll('.', '%2E')

async function folderOf(userId: string, create: boolean): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  return (await root.getDirectoryHandle(FOLDER, { create })).getDirectoryHandle(nameOf(userId), { create })
}

/** Null where the browser forbids storage, and if there is none and it is not created. */
export async function filmFile(userId: string, id: string, create: boolean): Promise<FileSystemFileHandle | null> {
  try {
    return await (await folderOf(userId, create)).getFileHandle(id, { create })
  } catch {
    return null
  }
}

/** Removes the films of these files, or of those that are not in `except`. */
export async function removeFilmFiles(userId: string, which: { ids: readonly string[] } | { except: readonly string[] }): Promise<void> {
  try {
    const folder = await folderOf(userId, false)
    const ids: string[] = []
    if ('ids' in which) ids.push(...which.ids)
    else for await (const id of folder.keys()) if (!which.except.includes(id)) ids.push(id)
    for (const id of ids) await folder.removeEntry(id).catch(() => {})
  } catch {
    // There are none.
  }
}

/** Removes those of an account, and that it had any. */
export async function removeAllFilmFiles(userId: string): Promise<void> {
  try {
    const root = await navigator.storage.getDirectory()
    await (await root.getDirectoryHandle(FOLDER)).removeEntry(nameOf(userId), { recursive: true })
  } catch {
    // There are none.
  }
}
