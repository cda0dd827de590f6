/** Path of the folder of a file or folder, without a slash at the end; empty if it is in none. */
export const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))
