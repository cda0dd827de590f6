const ENDING = /\.(zip|tgz|tar\.gz|tar)$/i

/** Whether a file is an archive that can be imported, by its name. */
export const isArchive = (name: string) => ENDING.test(name)

export const withoutArchiveEnding = (name: string) => name.replace(ENDING, '')
