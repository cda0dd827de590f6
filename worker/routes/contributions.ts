import { type Context, Hono } from 'hono'
import { say } from '#language'
import { msg } from '#say'
import { acceptContributions, declineContributions } from '../../contract/contributions.ts'
import { type ChecksEnv, checks } from '../auth/checks.ts'
import { signedIn } from '../auth/guard.ts'
import type { AppEnv } from '../context.ts'
import { requireRole } from '../http/access.ts'
import { body, collectionParam } from '../http/validate.ts'
import { answerContributions, listContributions } from '../queries/contributions.ts'

const ADMINS_ONLY = msg`Only admins and the owner see and answer what guests have sent`

async function answer(c: Context<ChecksEnv<'links.make'>>, ids: string[], accept: boolean): Promise<Response> {
  const { checks } = c.var
  const { role, ids: answered } = await answerContributions(c.var, { collectionId: collectionParam(c), ids, accept })
  requireRole(role, checks['links.make'], say(ADMINS_ONLY))
  return c.json({ success: true, ids: answered })
}

export const contributions = new Hono<AppEnv>()
  .get('/', signedIn, checks('links.make'), async (c) => {
    const { role, contributions } = await listContributions(c.var, collectionParam(c))
    requireRole(role, c.var.checks['links.make'], say(ADMINS_ONLY))
    return c.json({ success: true, contributions })
  })
  .post('/accept', signedIn, checks('links.make'), body(acceptContributions.body), (c) => answer(c, c.req.valid('json').ids, true))
  .post('/decline', signedIn, checks('links.make'), body(declineContributions.body), (c) => answer(c, c.req.valid('json').ids, false))
