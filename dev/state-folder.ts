import { chmod, mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { errorCode, SetupError } from './setup-error.ts'

export const PROJECT = path.resolve(import.meta.dirname, '..')
export const STATE_FOLDER = path.join(PROJECT, '.cairn')

/** Makes the folder and proves that it can be written, so that the reason is told once and early. */
export async function prepareStateFolder(dir: string): Promise<void> {
  const probe = path.join(dir, '.writable')
  try {
    await mkdir(dir, { recursive: true })
    // Postgres may run as another user than ours and must be able to walk through to its own folder.
    await chmod(dir, 0o711).catch(() => {})
    await (await open(probe, 'w')).close()
    await rm(probe, { force: true })
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(errorCode(error) ?? '')) throw error
    throw new SetupError(
      `Cairn keeps its data in ${dir}, which cannot be written (${errorCode(error)}): make that folder writable, or copy the checkout to a place where it is.`,
    )
  }
}
