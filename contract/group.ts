import { Id } from './ids.ts'
import { z } from './zod.ts'

export const GroupKind = z.enum(['live', 'raw', 'burst', 'stack'])
export type GroupKind = z.infer<typeof GroupKind>

/**
 * Assets that one collection shows as one item: a Live Photo with its film, a JPEG with its raw file, a burst, or any others. `cover` is the part that is
 * shown; `assetIds` has it first, then the others by date.
 */
export const Group = z.object({ id: Id, kind: GroupKind, cover: Id, assetIds: z.array(Id) })
export type Group = z.infer<typeof Group>

/** The group of an asset in a list. Only the cover names the parts. */
export const GroupOfAsset = Group.partial({ assetIds: true })
export type GroupOfAsset = z.infer<typeof GroupOfAsset>
