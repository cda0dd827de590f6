import { plural, t } from '#say'
import { ARCHIVE_FILES, ARCHIVE_FORMAT, ARCHIVE_VERSION, Archive, ArchivedAsset, ArchivedPost } from '../../../contract/archive.ts'
import { CollectionIcon } from '../../../contract/collections.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { fitAlt, fitLine, fitMoment, fitText, fitZone } from '../../../contract/photos/fit.ts'
import { KINDS } from '../../../contract/posts.ts'
import { z } from '../../../contract/zod.ts'
import { jsonOf } from '../json.ts'
import { folderOf, nameIn, prefixOf } from './paths.ts'
import { readAnswers } from './read-answers.ts'
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

/** What people said is read piece by piece. */
const UNREAD = { comments: z.unknown().optional(), reactions: z.unknown().optional() }
const Asset = ArchivedAsset.extend(UNREAD)
type Asset = z.infer<typeof Asset>
const Post = ArchivedPost.extend(UNREAD)
type Post = z.infer<typeof Post>
const Content = Archive.extend({ assets: z.array(Asset), posts: z.array(Post) })
type Content = z.infer<typeof Content>

const Header = z.object({ format: z.literal(ARCHIVE_FORMAT), version: z.number() })

/** An export of Cairn: collection.json at the top, or in the one folder it was unpacked into. Only one is planned at a time. Null for other files. */
export async function readCairn({ files }: FoundFiles): Promise<Found | null> {
  const [first, ...others] = await exportsIn(files)
  if (!first) return null
  if (first.version > ARCHIVE_VERSION)
    throw new UnreadableError(t`This export is from a newer version of Cairn. Reload the page, then try again`)
  const archive = Content.safeParse(first.content).data
  if (!archive) throw new UnreadableError(t`The file collection.json of this export is damaged`)
  const root = prefixOf(first.json.path)
  const own = new Map(files.filter((file) => isIn(first, file)).map((file) => [file.path.slice(root.length).normalize('NFC'), file]))
  const { used, ...read } = plan(archive, own)
  const reason = t`It is another export of Cairn. Import it by itself`
  const refused = others.map(({ json }) => ({ name: nameIn(folderOf(json.path) || (json.archive ?? '')), reason }))
  return {
    ...read,
    refused: [...read.refused, ...refused],
    others: files.filter((file) => !used.has(file) && !others.some((one) => isIn(one, file))),
  }
}

interface Export {
  json: FoundFile
  content: unknown
  version: number
}

/** Those at the top first. An original may have the name of the list too. */
async function exportsIn(files: readonly FoundFile[]): Promise<Export[]> {
  const found: Export[] = []
  const jsons = files.filter(({ path }) => nameIn(path) === ARCHIVE_FILES.collection)
  for (const json of jsons.toSorted((a, b) => a.path.length - b.path.length)) {
    if (found.some((one) => isIn(one, json, ARCHIVE_FILES.originals))) continue
    const content = jsonOf(await textOf(json))
    const version = Header.safeParse(content).data?.version
    if (version !== undefined) found.push({ json, content, version })
  }
  return found
}

const isIn = ({ json }: Export, { archive, path }: FoundFile, folder = '') =>
  archive === json.archive && path.startsWith(prefixOf(json.path) + folder)

/** `byPath` are the files of the export, `used` those that it knows. */
function plan(archive: Content, byPath: ReadonlyMap<string, FoundFile>) {
  const used = new Set(Object.values(ARCHIVE_FILES).flatMap((path) => byPath.get(path) ?? []))
  const refused: Refused[] = []
  let alone = 0
  const answersOf = (row: Asset | Post, title: string) => {
    const read = readAnswers(row, title)
    refused.push(...read.refused)
    alone += read.alone
    return read.answers
  }
  const assets = new Map<string, PlannedAsset>()
  for (const row of archive.assets) {
    const file = byPath.get(row.file.normalize('NFC'))
    if (file) used.add(file)
    const reason = file ? unstorable(file) : t`Its file is not in the archive`
    if (file && !reason) assets.set(row.id, { ...assetOf(row, file), answers: answersOf(row, row.name) })
    else refused.push({ name: row.name, reason: withComments(reason ?? '', row) })
  }
  const { id, name, icon, theme, answers, places } = archive.collection
  const posts = archive.posts.map((row) => {
    const post = postOf(row, assets)
    return { ...post, answers: answersOf(row, post.fields.title) }
  })
  const hasAnswers = [...posts, ...assets.values()].some((item) => item.answers)
  return {
    used,
    format: 'cairn' as const,
    title: name,
    collection: {
      sourceId: id,
      name: fitLine(name, LIMITS.collectionName),
      icon: CollectionIcon.safeParse(icon).data ?? 'default',
      ...(theme && { theme }),
      ...(places && { places }),
      // Where nobody may comment, comments could not be imported either.
      ...(answers !== undefined && { answers: answers ?? (hasAnswers ? 'admin' : null) }),
    },
    people: new Map(archive.people.map((person) => [person.id, person.name])),
    posts,
    assets: [...assets.values()],
    groups: groupsOf(archive.assets, assets),
    refused,
    note: aloneWords(alone),
    authors: [...new Set([...archive.posts, ...archive.assets].map(({ author }) => author))],
  }
}

/** Why a file cannot be imported, and what is lost with it. */
function withComments(reason: string, { comments }: Asset): string {
  const count = Array.isArray(comments) ? comments.length : 0
  if (count === 0) return reason
  return t`${plural(count, {
    one: `${reason}, so # comment is left out with it`,
    other: `${reason}, so # comments are left out with it`,
  })}`
}

function aloneWords(count: number): string | null {
  if (count === 0) return null
  return t`${plural(count, {
    one: '# comment answers one that is not in this archive. It will stand on its own.',
    other: '# comments answer others that are not in this archive. They will stand on their own.',
  })}`
}

/** Groups of which the cover and another part are in the archive. */
function groupsOf(rows: readonly Asset[], assets: ReadonlyMap<string, PlannedAsset>): PlannedGroup[] {
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

function assetOf(row: Asset, file: FoundFile): PlannedAsset {
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

function postOf(row: Post, assets: ReadonlyMap<string, PlannedAsset>): PlannedPost {
  const { id, type, kind, title, body, location, people } = row
  return {
    key: `cairn ${id}`,
    sourceId: id,
    fields: {
      type,
      kind: kind && KINDS[type].includes(kind) ? kind : null,
      title: fitLine(title, LIMITS.postTitle) || t`Without a title`,
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
