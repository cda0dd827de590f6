import {
  ARCHIVE_FILES,
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  Archive,
  type ArchivedAsset,
  type ArchivedPost,
} from '../../../contract/archive.ts'
import { CollectionIcon } from '../../../contract/collections.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { fitAlt, fitLine, fitMoment, fitText, fitZone } from '../../../contract/photos/fit.ts'
import { KINDS } from '../../../contract/posts.ts'
import { z } from '../../../contract/zod.ts'
import { textOf, unstorable } from './sources.ts'
import {
  type Found,
  type FoundFile,
  type FoundFiles,
  type PlannedAsset,
  type PlannedGroup,
  type PlannedPost,
  type Refused,
  UnreadableError,
} from './types.ts'

const Header = z.object({ format: z.literal(ARCHIVE_FORMAT), version: z.number() })

/** An export of Cairn: collection.json at the top, or in the one folder it was unpacked into. Null for other files. */
export async function readCairn({ files }: FoundFiles): Promise<Found | null> {
  const json = files
    .filter(({ path }) => path.split('/').at(-1) === ARCHIVE_FILES.collection)
    .toSorted((a, b) => a.path.length - b.path.length)[0]
  if (!json) return null
  const content = parse(await textOf(json))
  const header = Header.safeParse(content).data
  if (!header) return null
  if (header.version > ARCHIVE_VERSION)
    throw new UnreadableError('This export is from a newer version of Cairn. Reload the page, then try again')
  const archive = Archive.safeParse(content).data
  if (!archive) throw new UnreadableError('The file collection.json of this export is damaged')
  return plan(archive, files, json.path.slice(0, -ARCHIVE_FILES.collection.length))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function plan(archive: Archive, files: readonly FoundFile[], root: string): Found {
  const byPath = new Map(files.map((file) => [file.path.normalize('NFC'), file]))
  const refused: Refused[] = []
  const assets = new Map<string, PlannedAsset>()
  for (const row of archive.assets) {
    const file = byPath.get(`${root}${row.file}`.normalize('NFC'))
    const reason = file ? unstorable(file) : 'Its file is not in the archive'
    if (file && !reason) assets.set(row.id, assetOf(row, file))
    else refused.push({ name: row.name, reason: reason ?? '' })
  }
  const { id, name, icon, theme } = archive.collection
  return {
    format: 'cairn',
    title: name,
    collection: {
      sourceId: id,
      name: fitLine(name, LIMITS.collectionName),
      icon: CollectionIcon.safeParse(icon).data ?? 'default',
      ...(theme && { theme }),
    },
    people: new Map(archive.people.map((person) => [person.id, person.name])),
    posts: archive.posts.map((post) => postOf(post, assets)),
    assets: [...assets.values()],
    groups: groupsOf(archive.assets, assets),
    refused,
    note: notImported([...archive.posts, ...archive.assets].reduce((sum, { comments = [] }) => sum + comments.length, 0)),
    authors: [...new Set([...archive.posts, ...archive.assets].map(({ author }) => author))],
  }
}

/** Comments would be by whoever imports them, so they stay in the archive. */
function notImported(comments: number): string | null {
  if (comments === 0) return null
  return comments === 1
    ? '1 comment in this archive is not imported.'
    : `${comments.toLocaleString('en')} comments in this archive are not imported.`
}

/** Groups of which the cover and another part are in the archive. */
function groupsOf(rows: readonly ArchivedAsset[], assets: ReadonlyMap<string, PlannedAsset>): PlannedGroup[] {
  return [...Map.groupBy(rows, ({ group }) => group?.id)].flatMap(([id, members]) => {
    const parts = members.flatMap((row) => assets.get(row.id) ?? [])
    const cover = assets.get(members[0]?.group?.cover ?? '')
    return id && cover && parts.length > 1 && parts.includes(cover) ? { cover, parts } : []
  })
}

interface Dated {
  date: string | null
  date_zone: string | null
  date_precision: ArchivedPost['date_precision']
}

function whenOf({ date, date_zone, date_precision }: Dated) {
  const known = fitMoment(date)
  return { date: known, dateZone: fitZone(date_zone), datePrecision: known === null ? ('unknown' as const) : date_precision }
}

function assetOf(row: ArchivedAsset, file: FoundFile): PlannedAsset {
  const { width, height, duration, thumbhash, location, place_hidden: placeHidden, alt, author } = row
  const originalAuthor = fitLine(author, LIMITS.personName)
  const overrides = {
    exactly: true,
    ...whenOf(row),
    location,
    placeHidden,
    alt: fitAlt(alt),
    originalAuthor,
    width,
    height,
    duration,
    thumbhash,
  }
  return { file, name: row.name, type: row.type, checksum: row.checksum, overrides, people: row.people }
}

function postOf(row: ArchivedPost, assets: ReadonlyMap<string, PlannedAsset>): PlannedPost {
  const { id, type, kind, title, body, location, people } = row
  return {
    key: `cairn ${id}`,
    sourceId: id,
    fields: {
      type,
      kind: kind && KINDS[type].includes(kind) ? kind : null,
      title: fitLine(title, LIMITS.postTitle) || 'Without a title',
      body: fitText(body),
      originalAuthor: fitLine(row.author, LIMITS.personName),
      ...whenOf(row),
      endsAt: fitMoment(row.ends_at),
      location,
      placeHidden: row.place_hidden,
    },
    pictures: row.assets.flatMap((asset) => assets.get(asset) ?? []),
    people,
  }
}
