import type { BulkDate } from '../../contract/bulk.ts'
import type { Location } from '../../contract/locations.ts'

/** A change made by the user; its id undoes it. */
export interface Change {
  id: string
  title: string
  /** A sentence about what stays after Undo. */
  note?: string | undefined
}

/** Ids by kind. */
export interface Items {
  posts?: readonly string[]
  assets?: readonly string[]
}

export type BulkChange =
  | ({ kind: 'date' } & Omit<BulkDate, 'ids'>)
  | { kind: 'location'; location: Location | null }
  | { kind: 'people'; add?: string[]; remove?: string[] }
  | { kind: 'link'; collectionIds: string[] }
  | { kind: 'unlink'; collectionId: string }
  | { kind: 'trash' }
