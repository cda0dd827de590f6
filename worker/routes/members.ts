import { Hono } from 'hono'
import { MemberEdit, RemovalQuery } from '../../contract/members.ts'
import { checks } from '../auth/checks.ts'
import { signedIn } from '../auth/guard.ts'
import type { AppEnv } from '../context.ts'
import { collectionNotFound } from '../http/errors.ts'
import { body, collectionParam, query, userIdParam } from '../http/validate.ts'
import { listMembers } from '../queries/members.ts'
import { changeRole, removeFromCollection } from '../services/manage-member.ts'

export const members = new Hono<AppEnv>()
  .get('/', signedIn, async (c) => {
    const list = await listMembers(c.var.db, c.var.user.id, collectionParam(c))
    if (!list) throw collectionNotFound()
    return c.json({ success: true, members: list })
  })
  .put('/:userId', signedIn, checks('members.manage'), body(MemberEdit), async (c) => {
    const target = { collectionId: collectionParam(c), memberId: userIdParam(c.req.param('userId')) }
    const member = await changeRole(c.var, target, c.req.valid('json').role)
    return c.json({ success: true, member })
  })
  .delete('/:userId', signedIn, checks('members.manage'), query(RemovalQuery), async (c) => {
    const target = { collectionId: collectionParam(c), memberId: userIdParam(c.req.param('userId')) }
    const changeId = await removeFromCollection(c.var, target, c.req.valid('query').items === 'remove')
    return c.json({ success: true, ...(changeId && { changeId }) })
  })
