/** Whether a file is an archive that can be imported, by its name. */
export const isArchive = (name: string) => /\.(zip|tgz|tar\.gz|tar)$/i.test(name)
