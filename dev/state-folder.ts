import { chmod, mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { errorCode, SetupError } from './setup-error.ts'

export const PROJECT = path.resolve(import.meta.dirname, '..')
export const STATE_FOLDER = path.join(PROJECT, '.cairn')

/** Creates the folder and checks that it is writable, so that the reason is reported once and early. */
export async function prepareStateFolder(dir: string): Promise<void> {
  const probe = path.join(dir, '.writable')
  try {
    await mkdir(dir, { recursive: true })
    // Postgres may run as another user, which must be able to traverse this folder to its own.
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
