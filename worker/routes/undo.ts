import { Hono } from 'hono'
import { signedIn } from '../auth/guard.ts'
import type { AppEnv } from '../context.ts'
import { undoChange } from '../services/undo-change.ts'
import { idParam } from '../validate.ts'

export const undo = new Hono<AppEnv>().post('/:changeId', signedIn, async (c) => {
  return c.json({ success: true, ...(await undoChange(c.var, idParam(c.req.param('changeId'), 'The change'))) })
})
