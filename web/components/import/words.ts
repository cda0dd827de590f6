import { formatSize } from '../../../contract/format-size.ts'
import { answersText } from '../../lib/answers/words.ts'
import { formatWhen } from '../../lib/dates/text.ts'
import type { ImportReport } from '../../lib/import/handover.ts'
import { countAnswers, type ImportFormat, type ImportPlan } from '../../lib/import/types.ts'

export const FORMAT_NAMES: Record<ImportFormat, string> = {
  cairn: 'Export of Cairn',
  takeout: 'Google Takeout',
  'day-one': 'Day One',
  journey: 'Journey',
  polarsteps: 'Polarsteps',
  whatsapp: 'WhatsApp chat',
  immich: 'Immich',
  folder: 'Photos and files',
}

export const counted = (count: number, one: string, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`

const words = (day: string) => formatWhen({ date: `${day}T00:00:00Z`, date_zone: 'UTC', date_precision: 'day' })

/** One line for each kind of item that was found. */
export function foundLines({ assets, posts, people, days, format }: ImportPlan): string[] {
  const bytes = assets.reduce((sum, { file }) => sum + file.size, 0)
  const answers = answersText(countAnswers([...posts, ...assets]))
  const albums = format === 'takeout'
  return [
    ...(assets.length > 0 ? [`${counted(assets.length, 'photo or file', 'photos and files')}, ${formatSize(bytes)}`] : []),
    ...(posts.length > 0 ? [counted(posts.length, albums ? 'post, from an album' : 'post', albums ? 'posts, from albums' : 'posts')] : []),
    ...(answers ? [answers] : []),
    ...(people.size > 0 ? [counted(people.size, 'person', 'people')] : []),
    ...(days ? [days.from === days.to ? words(days.from) : `${words(days.from)} to ${words(days.to)}`] : []),
  ]
}

/** `14 posts, 120 files and 40 comments are on their way, 3 were already here` */
export function importedWords({ posts, files, comments, here }: ImportReport): string {
  const kinds = [posts > 0 && counted(posts, 'post'), files > 0 && counted(files, 'file'), comments > 0 && counted(comments, 'comment')]
  const pending = kinds
    .filter(Boolean)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1')
  const known = here > 0 ? `${here === 1 ? '1 was' : `${here.toLocaleString('en')} were`} already here` : ''
  if (pending) return [`${pending} ${posts + files + comments === 1 ? 'is' : 'are'} on the way`, known].filter(Boolean).join(', ')
  return known || 'Nothing was imported'
}

/** Who sees what is imported. `members` counts everybody, including the user. */
export function audienceWords(name: string | null, members: number): string {
  if (name === null) return 'Only you will see this until you invite someone.'
  if (members <= 1) return `Only you will see this: ${name} has no other members.`
  return `${members.toLocaleString('en')} people will see this: you and ${members === 2 ? 'the other member' : `the ${(members - 1).toLocaleString('en')} other members`} of ${name}. They see the pictures, their dates, locations and captions, and who is in them.`
}
