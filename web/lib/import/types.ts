import type { NewCollection } from '../../../contract/collections.ts'
import type { ImportedAnswers } from '../../../contract/imported-answers.ts'
import type { NewPost } from '../../../contract/posts.ts'
import type { Overrides } from '../uploads/types.ts'

/** A file of a folder or a ZIP; its content is not read before `open`. `modified` in ms. */
export interface FoundFile {
  /** With `/` between folders, none at the start. */
  path: string
  size: number
  modified: number | null
  /** Path of the archive that holds it. */
  archive?: string
  /** CRC-32 of its content, if the archive says it. */
  crc?: number
  /** Throws UnreadableError with a reason that can be shown to the user. */
  open(): Promise<Blob>
}

/** A file that cannot be imported, with a reason that can be shown to the user. */
export interface Refused {
  name: string
  reason: string
}

/** Files that are not imported because they are not of Google Photos, by the product that they are of. */
export interface LeftOut {
  name: string
  files: number
}

export interface FoundFiles {
  files: FoundFile[]
  refused: Refused[]
}

/** A file or archive cannot be read; the message can be shown to the user. */
export class UnreadableError extends Error {
  override name = 'UnreadableError'
}

export type ImportFormat = 'cairn' | 'takeout' | 'day-one' | 'journey' | 'polarsteps' | 'whatsapp' | 'immich' | 'folder'

/** What people said about an item, each comment after the one that it answers. Ids are those of the archive, `mentions` are keys of the plan's people. */
export type PlannedAnswers = Pick<ImportedAnswers, 'comments' | 'reactions'>

/** Their numbers, as an item's own answers have them. */
export function countAnswers(items: readonly { answers?: PlannedAnswers | undefined }[]) {
  const count = (kind: keyof PlannedAnswers) => items.reduce((sum, { answers }) => sum + (answers?.[kind].length ?? 0), 0)
  return { comments: count('comments'), reactions: [{ count: count('reactions') }] }
}

/** `people` are keys of the plan's people. */
export interface PlannedAsset {
  file: FoundFile
  name: string
  /** Media type, if it is known better than from the name. */
  type?: string
  /** SHA-256 in hex, if it is already known. */
  checksum?: string
  overrides?: Omit<Overrides, 'peopleIds'> | undefined
  people: readonly string[]
  answers?: PlannedAnswers | undefined
}

export interface PlannedPost {
  /** Identifies the post within its source, so that a second import recognises it. */
  key: string
  /** Its id in Cairn, if it comes from there. */
  sourceId?: string
  fields: Omit<NewPost, 'id' | 'collectionIds' | 'peopleIds' | 'existingAssetIds'>
  pictures: PlannedAsset[]
  people: readonly string[]
  answers?: PlannedAnswers | undefined
  /** The day that it is a part of, all parts of which have the same key. */
  chatDay?: ChatDay
}

/** Assets that are shown as one item. */
export interface PlannedGroup {
  cover: PlannedAsset
  /** With the cover. */
  parts: PlannedAsset[]
}

/** What was written in a chat on a day, `YYYY-MM-DD`. A later export of the chat may have more of the same day. `title` is the chat's name. */
export interface ChatDay {
  key: string
  day: string
  title: string
  messages: readonly ChatMessage[]
}

/** A message as HTML, with the files that were sent with it. `wall` is the phone's clock, `YYYY-MM-DDThh:mm:ss`. */
export interface ChatMessage {
  wall: string
  html: string
  pictures: PlannedAsset[]
}

export interface ImportPlan {
  format: ImportFormat
  title: string
  collection: (Omit<NewCollection, 'id'> & { sourceId: string }) | null
  /** Names by key. */
  people: Map<string, string>
  posts: PlannedPost[]
  /** All assets, including those of posts. */
  assets: PlannedAsset[]
  groups: PlannedGroup[]
  refused: Refused[]
  leftOut: LeftOut[]
  /** What the user should know before importing, as a sentence. */
  note: string | null
  authors: string[]
  days: { from: string; to: string } | null
}

/** Result of reading one format; the rest of a plan is derived from it. `others` are files that are not of it, imported as those of any folder. */
export type Found = Pick<ImportPlan, 'format' | 'title'> & Partial<Omit<ImportPlan, 'format' | 'title' | 'days'>> & { others?: FoundFile[] }

/** A reader's findings so far, and the files it has used for them. */
export interface Reading {
  posts: PlannedPost[]
  assets: PlannedAsset[]
  refused: Refused[]
  used: Set<FoundFile>
}

export interface ReadOptions {
  signal: AbortSignal
  /** 0 to 1. */
  onProgress: (share: number) => void
}
