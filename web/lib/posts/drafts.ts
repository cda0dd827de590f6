import { Asset } from '../../../contract/assets.ts'
import { Location } from '../../../contract/locations.ts'
import { Post, PostType } from '../../../contract/posts.ts'
import { z } from '../../../contract/zod.ts'
import { parseJson, readLocal, writeLocal } from '../storage.ts'

/** A post in its form. Days are `YYYY-MM-DD`, times `HH:MM`; empty means not set. */
export const Draft = z.object({
  id: z.uuidv7(),
  type: PostType,
  kind: z.string(),
  title: z.string(),
  /** HTML of the allow-list. */
  body: z.string(),
  exact: z.enum(['day', 'month', 'year', 'unknown']),
  day: z.string(),
  time: z.string(),
  zone: z.string(),
  endDay: z.string(),
  endTime: z.string(),
  location: Location.nullable(),
  /** Only author and admins see where. Missing in drafts from before there was this choice. */
  placeHidden: z.boolean().optional(),
  people: z.array(z.string()),
  /** Assets in their order; some may still be uploading. */
  pictures: z.array(z.string()),
  /** Other collections that will contain the post. */
  collections: z.array(z.string()),
})
export type Draft = z.infer<typeof Draft>

/** An unfinished edit, the post it is based on, and the form's initial values, which edits stored by older versions lack. */
const KeptEdit = z.object({ base: Post, start: Draft.optional(), draft: Draft })
export type KeptEdit = z.infer<typeof KeptEdit>

/** A photo's details in their form. */
const AssetDraft = Draft.pick({
  ...{ type: true, exact: true, day: true, time: true, zone: true, endDay: true, endTime: true, location: true, people: true },
}).extend({ alt: z.string(), placeHidden: z.boolean() })
export type AssetDraft = z.infer<typeof AssetDraft>

/** Unsaved details of a photo, and the row at the time the form was opened. */
const KeptAssetEdit = z.object({ base: Asset, draft: AssetDraft })
type KeptAssetEdit = z.infer<typeof KeptAssetEdit>

const PREFIX = 'draft '
const keyOf = (userId: string, collectionId: string, type: string) => `${PREFIX}${userId} ${collectionId} ${type}`

export function readDraft(userId: string, collectionId: string, type: string): Draft | null {
  return parseJson(readLocal(keyOf(userId, collectionId, type)), Draft)
}

/** Stores the draft; null removes it. */
export function writeDraft(userId: string, collectionId: string, type: string, draft: Draft | null): void {
  writeLocal(keyOf(userId, collectionId, type), draft && JSON.stringify(draft))
}

export function readEdit(userId: string, postId: string): KeptEdit | null {
  return parseJson(readLocal(keyOf(userId, postId, 'edit')), KeptEdit)
}

export function writeEdit(userId: string, postId: string, edit: KeptEdit | null): void {
  writeLocal(keyOf(userId, postId, 'edit'), edit && JSON.stringify(edit))
}

export function readAssetEdit(userId: string, assetId: string): KeptAssetEdit | null {
  return parseJson(readLocal(keyOf(userId, assetId, 'photo')), KeptAssetEdit)
}

export function writeAssetEdit(userId: string, assetId: string, edit: KeptAssetEdit | null): void {
  writeLocal(keyOf(userId, assetId, 'photo'), edit && JSON.stringify(edit))
}

/** What was begun to be written where `place` says, such as a comment on a photo. */
export function readWords(userId: string, place: string): string {
  return readLocal(keyOf(userId, place, 'words')) ?? ''
}

/** Stores them; empty ones are removed. */
export function writeWords(userId: string, place: string, words: string): void {
  writeLocal(keyOf(userId, place, 'words'), words.trim() === '' ? null : words)
}

export function draftsOf(userId: string): { collectionId: string; type: PostType; draft: Draft }[] {
  return keysOf(userId).flatMap((key) => {
    const [collectionId = '', kind] = key.slice(PREFIX.length + userId.length + 1).split(' ')
    const draft = parseJson(readLocal(key), Draft)
    const type = PostType.safeParse(kind).data
    return draft && type ? { collectionId, type, draft } : []
  })
}

export function editsOf(userId: string): KeptEdit[] {
  return keysOf(userId).flatMap((key) => (key.endsWith(' edit') ? (parseJson(readLocal(key), KeptEdit) ?? []) : []))
}

export function assetEditsOf(userId: string): KeptAssetEdit[] {
  return keysOf(userId).flatMap((key) => (key.endsWith(' photo') ? (parseJson(readLocal(key), KeptAssetEdit) ?? []) : []))
}

/** For sign-out: discards all drafts of this user. Those of other users stay. */
export function forgetDrafts(userId: string): void {
  for (const key of keysOf(userId)) writeLocal(key, null)
}

/** Posts, edits and comments that were begun and not sent. */
export function countDrafts(userId: string): number {
  return keysOf(userId).length
}

function keysOf(userId: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(`${PREFIX}${userId} `))
  } catch {
    // Storage is blocked, so there are no drafts.
    return []
  }
}
