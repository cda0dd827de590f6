import type { NewCollection } from '../../../contract/collections.ts'
import type { NewPost } from '../../../contract/posts.ts'
import type { Overrides } from '../uploads/types.ts'

/** A file of a folder or of a ZIP; nothing of it is read before it is opened. `modified` in ms. */
export interface FoundFile {
  /** With `/` between folders, none at the start. */
  path: string
  size: number
  modified: number | null
  /** Throws UnreadableError with a reason for people. */
  open(): Promise<Blob>
}

/** What cannot be brought in, and why, in words for people. */
export interface Refused {
  name: string
  reason: string
}

export interface FoundFiles {
  files: FoundFile[]
  refused: Refused[]
}

/** Why a file or an archive cannot be read, in a sentence for people. */
export class UnreadableError extends Error {
  override name = 'UnreadableError'
}

export type ImportFormat = 'cairn' | 'takeout' | 'day-one' | 'immich' | 'folder'

/** `people` are keys of the plan's people. */
export interface PlannedAsset {
  file: FoundFile
  name: string
  /** Media type, where it is known better than by the name. */
  type?: string
  /** SHA-256 in hex, where it is known before. */
  checksum?: string
  given?: Omit<Overrides, 'peopleIds'> | undefined
  people: readonly string[]
}

export interface PlannedPost {
  /** Says which post of its source it is, so that a second import knows it. */
  key: string
  /** Its id where it comes from Cairn. */
  sourceId?: string
  fields: Omit<NewPost, 'id' | 'collectionIds' | 'peopleIds' | 'existingAssetIds'>
  pictures: PlannedAsset[]
  people: readonly string[]
}

export interface ImportPlan {
  format: ImportFormat
  /** What the source calls itself. */
  title: string
  /** Of an archive of Cairn's. */
  collection: (Omit<NewCollection, 'id'> & { sourceId: string }) | null
  /** Names by key. */
  people: Map<string, string>
  posts: PlannedPost[]
  /** All of them, those of posts too. */
  assets: PlannedAsset[]
  refused: Refused[]
  /** Who wrote what is in it, where that is told. */
  authors: string[]
  /** First and last day, where any is known. */
  days: { from: string; to: string } | null
}

/** What each format finds; the rest of a plan follows from it. */
export type Found = Pick<ImportPlan, 'format' | 'title'> & Partial<Omit<ImportPlan, 'format' | 'title' | 'days'>>

export interface ReadOptions {
  signal: AbortSignal
  /** 0 to 1. */
  onProgress: (share: number) => void
}
