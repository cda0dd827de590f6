import { say } from '#language'
import { msg, t } from '#say'
import type { Group } from '../../contract/group.ts'
import type { NewGroup } from '../../contract/groups.ts'
import { newId } from '../../contract/ids.ts'
import { kindOf } from '../../contract/parts.ts'
import { requireRole, unknownIds } from '../http/access.ts'
import { AppError, collectionNotFound, forbidden, notFound } from '../http/errors.ts'
import { dissolveGroup, findParts, insertGroup } from '../queries/groups.ts'
import type { Caller } from '../queries/permissions.ts'

const ONLY_WRITERS = msg`Your role lets you look, not group`
const NOT_YOURS = msg`Only those who may change every part may group them. Anyone who may add can pair a photo with its own film, if both are in no group yet`

/** `made` is false if the parts are a group already. */
export async function groupAssets(
  caller: Caller<'item.add' | 'item.edit'>,
  collectionId: string,
  { assetIds, cover }: NewGroup,
): Promise<{ made: boolean; group: Group }> {
  const kind = kindOf(await findParts(caller.db, caller.user.id, { collectionId, assetIds }))
  const { role, outcome, missing, group } = await insertGroup(caller, { id: newId(), collectionId, assetIds, cover, kind })
  requireRole(role, caller.checks['item.add'], say(ONLY_WRITERS))
  if (outcome === 'missing') throw unknownIds((ids) => t`Assets not found: ${ids}`, 'assetIds', missing)
  if (outcome === 'forbidden') throw forbidden(say(NOT_YOURS))
  if (!group) throw new AppError('conflict', t`The group was taken apart meanwhile`)
  return { made: outcome === 'made', group }
}

/** Shows the parts on their own again. */
export async function unstack(caller: Caller<'item.edit'>, key: { collectionId: string; id: string }): Promise<void> {
  const { role, found, done } = await dissolveGroup(caller, key)
  if (!role) throw collectionNotFound()
  if (!found) throw notFound(t`The group was not found`)
  if (!done) throw forbidden(t`Only admins and the authors of its parts may take this apart`)
}
