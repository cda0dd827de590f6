import { Hono } from 'hono'
import { t } from '#say'
import { checks } from '../auth/checks.ts'
import { signedInOrAnswering } from '../auth/guest.ts'
import type { AppEnv } from '../context.ts'
import { attemptLimit } from '../http/limited.ts'
import { idParam } from '../http/validate.ts'
import { undoChange } from '../services/undo-change.ts'

export const undo = new Hono<AppEnv>().post(
  '/:changeId',
  signedInOrAnswering,
  checks('item.edit', 'item.remove', 'people.edit', 'comment.add'),
  async (c) => {
    const changeId = idParam(c.req.param('changeId'), t`The change was not found`)
    return c.json({ success: true, ...(await undoChange({ ...c.var, limit: await attemptLimit(c, 'comment') }, changeId)) })
  },
)
