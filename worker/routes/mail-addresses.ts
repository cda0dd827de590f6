import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { checks } from '../auth/checks.ts'
import { hasVerifiedEmail, signedIn } from '../auth/guard.ts'
import type { AppEnv } from '../context.ts'
import { collectionParam } from '../http/validate.ts'
import { mailAddressOf, makeMailAddress, removeMailAddress } from '../services/mail-address.ts'

/** The token may be older than the confirmation of the address. */
const withPresentEmail = createMiddleware<AppEnv>(async (c, next) => {
  await hasVerifiedEmail(c)
  await next()
})

/** The address at which a collection takes posts by mail. */
export const mailAddresses = new Hono<AppEnv>()
  .get('/', signedIn, withPresentEmail, checks('item.add'), async (c) => {
    return c.json({ success: true, mail: await mailAddressOf(c.var, collectionParam(c), c.env) })
  })
  .put('/', signedIn, checks('collection.edit'), async (c) => {
    return c.json({ success: true, address: await makeMailAddress(c.var, collectionParam(c), c.env) })
  })
  .delete('/', signedIn, checks('collection.edit'), async (c) => {
    await removeMailAddress(c.var, collectionParam(c))
    return c.json({ success: true })
  })
