import type { FoundFile } from './types.ts'

/** Path of the folder of a file or folder, without a slash at the end; empty if it is in none. */
export const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** Last part of a path. */
export const nameIn = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** Path of the folder of a file, with a slash at the end; empty if it is in none. */
export const prefixOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

/** Key of a path in the archive of a file: other archives may hold the same path. */
export const keyOf = ({ archive = '' }: FoundFile, path: string) => `${archive}\n${path}`

/** Files that operating systems add to archives and folders. */
export function isLitter(path: string): boolean {
  return /(^|\/)(__MACOSX\/|\.[^/]*$|\.[^./][^/]*\/|thumbs\.db$|desktop\.ini$)/i.test(path.replaceAll('\\', '/'))
}
