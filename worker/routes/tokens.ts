import { Hono } from 'hono'
import { t } from '#say'
import { NewToken } from '../../contract/tokens.ts'
import { ownOnly } from '../auth/checks.ts'
import { requireReauthentication, requireVerifiedEmail, signedIn } from '../auth/guard.ts'
import { refuseTokens } from '../auth/personal-token.ts'
import type { AppEnv } from '../context.ts'
import { notFound } from '../http/errors.ts'
import { body, idParam } from '../http/validate.ts'
import { deleteToken, listTokens } from '../queries/tokens.ts'
import { makeToken } from '../services/accounts/make-token.ts'

export const tokens = new Hono<AppEnv>()
  .use(refuseTokens)

  .get('/', signedIn, async (c) => c.json({ success: true, tokens: await listTokens(c.var.db, c.var.user.id) }))

  .post('/', signedIn, ownOnly, body(NewToken), async (c) => {
    await requireVerifiedEmail(c)
    // A token outlives the session, so a stolen cookie must not suffice to make one.
    await requireReauthentication(c)
    const made = await makeToken(c.var, c.req.valid('json'))
    return c.json({ success: true, ...made }, made.secret ? 201 : 200)
  })

  .delete('/:id', signedIn, ownOnly, async (c) => {
    if (!(await deleteToken(c.var.db, c.var.user.id, idParam(c.req.param('id'), t`The access token was not found`))))
      throw notFound(t`The access token was not found`)
    return c.json({ success: true })
  })
