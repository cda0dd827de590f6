import { Hono } from 'hono'
import { checks } from '../auth/checks.ts'
import { signedIn } from '../auth/guard.ts'
import type { AppEnv } from '../context.ts'
import { idParam } from '../http/validate.ts'
import { undoChange } from '../services/undo-change.ts'

export const undo = new Hono<AppEnv>().post(
  '/:changeId',
  signedIn,
  checks('item.edit', 'item.remove', 'people.edit', 'comment.add'),
  async (c) => {
    return c.json({ success: true, ...(await undoChange(c.var, idParam(c.req.param('changeId'), 'The change'))) })
  },
)
