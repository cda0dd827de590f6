import { nameIn } from './paths.ts'
import type { TakeoutAlbum } from './takeout-json.ts'

const YEAR = /(?<!\d)(?:1[89]|20)\d\d(?!\d)/
/** Until 2020, photos lay in folders of days. */
const DAY = /^\d{4}-\d\d-\d\d\b/

/**
 * The folders of albums, with the data of each. An album has a file with its title; the folders of years have none, whatever their language.
 * Old exports gave every folder such a file. Then folders of years are those that bear their own title, no text, and the words of another
 * folder but for the year; folders of days are those whose title is the day.
 */
export function albumFolders(folders: readonly string[], albums: ReadonlyMap<string, TakeoutAlbum>) {
  const everyFolderHasTitle = !folders.some((folder) => YEAR.test(nameIn(folder)) && !albums.has(folder))
  const sameWords = new Map<string, number>()
  for (const folder of folders) sameWords.set(wordsOf(folder), (sameWords.get(wordsOf(folder)) ?? 0) + 1)
  const isOfYear = (folder: string, { title, texts }: TakeoutAlbum) =>
    everyFolderHasTitle && YEAR.test(title) && title === nameIn(folder) && texts.length === 0 && (sameWords.get(wordsOf(folder)) ?? 0) > 1
  return folders.flatMap((folder) => {
    const album = albums.get(folder)
    if (!album || album.title.trim() === '' || DAY.test(album.title) || isOfYear(folder, album)) return []
    return [{ folder, album }]
  })
}

const wordsOf = (folder: string) => nameIn(folder).replace(YEAR, '####')
