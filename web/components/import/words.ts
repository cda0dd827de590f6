import { joined, listText } from '#language'
import { plural, t } from '#say'
import { formatSize } from '../../../contract/format-size.ts'
import { answersText } from '../../lib/answers/words.ts'
import { formatWhen } from '../../lib/dates/text.ts'
import type { ImportReport } from '../../lib/import/handover.ts'
import { countAnswers, type ImportFormat, type ImportPlan } from '../../lib/import/types.ts'

export function formatName(format: ImportFormat): string {
  const names: Record<ImportFormat, string> = {
    cairn: t`Export of Cairn`,
    takeout: 'Google Takeout',
    'day-one': 'Day One',
    journey: 'Journey',
    polarsteps: 'Polarsteps',
    whatsapp: t`WhatsApp chat`,
    immich: 'Immich',
    folder: t`Photos and files`,
  }
  return names[format]
}

const dayText = (day: string) => formatWhen({ date: `${day}T00:00:00Z`, date_zone: 'UTC', date_precision: 'day' })

/** One line for each kind of item that was found. */
export function foundLines({ assets, posts, people, days, format }: ImportPlan): { id: string; text: string }[] {
  const lines = {
    assets: assets.length > 0 && assetsText(assets),
    posts: posts.length > 0 && postsText(posts.length, format === 'takeout'),
    answers: answersText(countAnswers([...posts, ...assets])),
    people: people.size > 0 && t`${plural(people.size, { one: '# person', other: '# people' })}`,
    days: days && daysText(days),
  }
  return Object.entries(lines).flatMap(([id, text]) => (text ? [{ id, text }] : []))
}

function assetsText(assets: ImportPlan['assets']): string {
  const size = formatSize(assets.reduce((sum, { file }) => sum + file.size, 0))
  return t`${plural(assets.length, { one: '# photo or file', other: '# photos and files' })}, ${size}`
}

function postsText(count: number, ofAlbums: boolean): string {
  return ofAlbums
    ? t`${plural(count, { one: '# post, from an album', other: '# posts, from albums' })}`
    : t`${plural(count, { one: '# post', other: '# posts' })}`
}

function daysText({ from, to }: NonNullable<ImportPlan['days']>): string {
  return from === to ? dayText(from) : t`${{ from: dayText(from) }} to ${{ to: dayText(to) }}`
}

/** `14 posts, 120 files and 40 comments are on the way, 3 were already here` */
export function importedWords({ posts, files, comments, here }: ImportReport): string {
  const kinds = [
    posts > 0 && t`${plural(posts, { one: '# post', other: '# posts' })}`,
    files > 0 && t`${plural(files, { one: '# file', other: '# files' })}`,
    comments > 0 && t`${plural(comments, { one: '# comment', other: '# comments' })}`,
  ].filter((text) => text !== false)
  const what = listText(kinds)
  const sentences = [
    kinds.length > 0 && t`${plural(posts + files + comments, { one: `${what} is on the way`, other: `${what} are on the way` })}`,
    here > 0 && t`${plural(here, { one: '# was already here', other: '# were already here' })}`,
  ]
  return joined(sentences) || t`Nothing was imported`
}

/** `2 cannot be imported · a.jpg: The archive is damaged here · …` */
export function failedWords({ failed }: ImportReport): string {
  const count = t`${plural(failed.length, { one: '# cannot be imported', other: '# cannot be imported' })}`
  return [count, ...failed.slice(0, 3).map(({ name, reason }) => `${name}: ${reason}`)].join(' · ')
}

/** Who sees what is imported. `members` counts everybody, including the user. */
export function audienceWords(name: string | null, members: number): string {
  if (name === null) return t`Only you will see this until you invite someone.`
  if (members <= 1) return t`Only you will see this: ${name} has no other members.`
  const others = members - 1
  const who =
    others === 1
      ? t`2 people will see this: you and the other member of ${name}.`
      : t`${plural(members, { one: '# person', other: '# people' })} will see this: you and the ${plural(others, { one: '# other member', other: '# other members' })} of ${name}.`
  return t`${who} They see the photos and posts with their dates, places, captions and comments, and who is in them.`
}
