import { t } from '#say'
import { newId } from '../../../contract/ids.ts'
import { answersText } from '../answers/words.ts'
import type { NewFile } from '../uploads/items.ts'
import type { AlreadyHere } from './already-here.ts'
import { type ChatNote, messagesNotIn, notesOf } from './chat-day.ts'
import { importedId, sourceIn } from './imported-id.ts'
import {
  type ChatDay,
  countAnswers,
  type PlannedAnswers,
  type PlannedAsset,
  type PlannedGroup,
  type PlannedPost,
  type Refused,
  UnreadableError,
} from './types.ts'
import type { Waiting, WaitingAnswers } from './waiting.ts'

/** Result of an import after all handovers. `here` counts existing posts and files. */
export interface ImportReport {
  posts: number
  files: number
  comments: number
  here: number
  failed: Refused[]
}

export interface HandoverDeps {
  collectionId: string
  /** Ids of the importing user and the collection: posts of one source get other ids in another scope. */
  scope: readonly string[]
  here: AlreadyHere
  /** Ids of the collection's people for keys of the plan. */
  peopleOf: (keys: readonly string[]) => string[]
  /** Resolves when the uploads have stored the files, or keep them in memory. */
  add: (files: readonly File[], newFiles: readonly NewFile[]) => Promise<void>
  /** Why the user may not write comments and reactions in the collection. */
  whyNoAnswers?: string | undefined
  /** Stores posts, groups and comments whose assets are in the upload queue. */
  keep: (waiting: readonly Waiting[]) => Promise<void>
}

/** Limit of files, posts and unpacked bytes per handover. */
const MAX_AT_ONCE = 40
const MAX_BYTES = 128 * 1024 * 1024

/** Hands files to the uploads in batches, and each post after its assets: an interrupted import leaves no post without them. */
export function createHandover({ collectionId, scope, here, peopleOf, add, whyNoAnswers, keep }: HandoverDeps) {
  const report: ImportReport = { posts: 0, files: 0, comments: 0, here: 0, failed: [] }
  /** Asset or upload id by planned file; null if it cannot be read. */
  const handed = new Map<PlannedAsset, string | null>()
  const days = new Set<ChatDay>()
  let batch: { files: File[]; newFiles: NewFile[]; waiting: Waiting[]; bytes: number } = empty()

  async function flush(): Promise<void> {
    const { files, newFiles, waiting } = batch
    batch = empty()
    if (files.length > 0) await add(files, newFiles)
    if (waiting.length > 0) await keep(waiting)
  }

  async function flushIfFull(): Promise<void> {
    const { files, waiting, bytes } = batch
    if (files.length >= MAX_AT_ONCE || waiting.length >= MAX_AT_ONCE || bytes >= MAX_BYTES) await flush()
  }

  async function idOf(asset: PlannedAsset): Promise<string | null> {
    const known = asset.checksum && here.assets.get(asset.checksum)
    if (known) {
      report.here++
      return known
    }
    const file = await open(asset, report.failed)
    if (!file) return null
    const id = newId()
    report.files++
    batch.files.push(file)
    batch.newFiles.push({ id, overrides: asset.overrides && { ...asset.overrides, peopleIds: peopleOf(asset.people) } })
    batch.bytes += file.size
    say({ title: asset.name, pictures: [id] }, asset.answers)
    await flushIfFull()
    return id
  }

  /** Only to what an import has created: another item that is here has the comments that it should have. */
  function say(about: Pick<WaitingAnswers, 'title' | 'postId' | 'pictures'>, answers: PlannedAnswers | undefined, isHere = false): void {
    if (!answers) return
    if (whyNoAnswers) {
      const what = answersText(countAnswers([{ answers }])) ?? ''
      report.failed.push({ name: t`${what} on “${{ about: about.title }}”`, reason: whyNoAnswers })
      return
    }
    const comments = answers.comments.map(({ mentions, ...comment }) => ({ ...comment, mentions: peopleOf(mentions ?? []) }))
    batch.waiting.push({ collectionId, ...about, answers: { ...answers, comments } })
    if (!isHere) report.comments += comments.length
  }

  async function hand(asset: PlannedAsset): Promise<void> {
    if (!handed.has(asset)) handed.set(asset, await idOf(asset))
  }

  /** `isHere`: an earlier import has created it. It gets what that one could not give it. */
  async function create(planned: PlannedPost, id: string, isHere = false): Promise<void> {
    for (const picture of planned.pictures) await hand(picture)
    const pictures = planned.pictures.flatMap((picture) => handed.get(picture) ?? [])
    const post = { ...planned.fields, id, peopleIds: peopleOf(planned.people), collectionIds: [collectionId] }
    batch.waiting.push({ collectionId, post, pictures })
    say({ title: post.title, postId: id, pictures: [] }, planned.answers, isHere)
    report[isHere ? 'here' : 'posts']++
    await flushIfFull()
  }

  /** The notes of a day have numbered ids. What none of them has yet becomes further ones. */
  async function chatDay(day: ChatDay): Promise<void> {
    if (days.has(day)) return
    days.add(day)
    const idOf = (n: number) => importedId([...scope, day.key, String(n)], `${day.day}T12:00:00Z`)
    const known: ChatNote[] = []
    let n = 0
    for (let id = await idOf(n); here.notes.has(id) || here.trashed.has(id); id = await idOf(++n)) {
      const note = here.notes.get(id)
      if (note) known.push(note)
    }
    report.here += known.length
    for (const note of notesOf(day, messagesNotIn(known, day), known.length > 0)) await create(note, await idOf(n++))
  }

  return {
    report,
    flush,
    hand,
    count: () => handed.size,
    /** After its parts. One whose parts are all here stays as it is here: it may have been taken apart. */
    async group({ cover, parts }: PlannedGroup): Promise<void> {
      const ids = [cover, ...parts.filter((part) => part !== cover)].flatMap((part) => handed.get(part) ?? [])
      if (!handed.get(cover) || ids.length < 2 || parts.every(({ checksum }) => checksum && here.assets.has(checksum))) return
      batch.waiting.push({ collectionId, groupId: newId(), pictures: ids })
      await flushIfFull()
    },
    async post(planned: PlannedPost): Promise<void> {
      if (planned.chatDay) return chatDay(planned.chatDay)
      const id = await freeId(planned, here, scope)
      if (here.posts.has(planned.sourceId ?? '') || here.posts.has(id)) report.here++
      else await create(planned, id, here.bySource.get(sourceIn(id)) === id)
    },
  }
}

const empty = () => ({ files: [], newFiles: [], waiting: [], bytes: 0 })

async function open({ file, name, type }: PlannedAsset, failed: Refused[]): Promise<File | null> {
  try {
    const blob = await file.open()
    return new File([blob], name, { type: type ?? blob.type, ...(file.modified === null ? {} : { lastModified: file.modified }) })
  } catch (error) {
    failed.push({
      name,
      reason: error instanceof UnreadableError ? error.message : t`It could not be read. Is the file still where it was?`,
    })
    return null
  }
}

/** Posts in the trash keep their ids, so a post imported again after that gets the next one. */
async function freeId({ key, fields }: PlannedPost, { trashed, bySource }: AlreadyHere, scope: readonly string[]): Promise<string> {
  for (let n = 0; ; n++) {
    const made = await importedId([...scope, key, ...(n > 0 ? [String(n)] : [])], fields.date)
    const id = bySource.get(sourceIn(made)) ?? made
    if (!trashed.has(id)) return id
  }
}
