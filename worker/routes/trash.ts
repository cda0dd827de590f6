import { Hono } from 'hono'
import { TrashDeletion, TrashQuery, TrashSelection } from '../../contract/trash.ts'
import { checks } from '../auth/checks.ts'
import { signedIn } from '../auth/guard.ts'
import type { AppEnv } from '../context.ts'
import { sendJson } from '../http/answer.ts'
import { body, query } from '../http/validate.ts'
import { listTrash } from '../queries/trash.ts'
import { deleteFromTrash, restoreTrash } from '../services/trash.ts'

export const trash = new Hono<AppEnv>()
  .get('/', signedIn, checks('item.remove'), query(TrashQuery), async (c) => {
    const { posts, assets, nextCursor } = await listTrash(c.var, c.req.valid('query'))
    return sendJson(c, { success: 'true', posts, assets, nextCursor: JSON.stringify(nextCursor) }, { 'cache-control': 'private, no-cache' })
  })
  .post('/restore', signedIn, checks('item.remove'), body(TrashSelection), async (c) => {
    return c.json({ success: true, ...(await restoreTrash(c.var, c.req.valid('json'))) })
  })
  .delete('/', signedIn, checks('item.remove'), body(TrashDeletion), async (c) => {
    const { filesRemoved } = await deleteFromTrash({ ...c.var, bucket: c.env.FILES }, c.req.valid('json'))
    c.executionCtx.waitUntil(filesRemoved)
    return c.json({ success: true })
  })
