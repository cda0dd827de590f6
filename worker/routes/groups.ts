import { Hono } from 'hono'
import { t } from '#say'
import { NewGroup } from '../../contract/groups.ts'
import { checks } from '../auth/checks.ts'
import { signedIn } from '../auth/guard.ts'
import type { AppEnv } from '../context.ts'
import { notFound } from '../http/errors.ts'
import { body, collectionParam, idParam, type WithParam } from '../http/validate.ts'
import { findGroup } from '../queries/groups.ts'
import { groupAssets, unstack } from '../services/group-assets.ts'

const keyOf = (c: WithParam<'id' | 'groupId'>) => ({
  collectionId: collectionParam(c),
  id: idParam(c.req.param('groupId'), t`The group was not found`),
})

export const groups = new Hono<AppEnv>()
  .post('/', signedIn, checks('item.add', 'item.edit'), body(NewGroup), async (c) => {
    const { made, group } = await groupAssets(c.var, collectionParam(c), c.req.valid('json'))
    return c.json({ success: true, group }, made ? 201 : 200)
  })
  .get('/:groupId', signedIn, async (c) => {
    const found = await findGroup(c.var.db, c.var.user.id, keyOf(c))
    if (!found) throw notFound(t`The group was not found`)
    return c.json({ success: true, ...found })
  })
  .delete('/:groupId', signedIn, checks('item.edit'), async (c) => {
    await unstack(c.var, keyOf(c))
    return c.json({ success: true })
  })
