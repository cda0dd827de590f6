import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type CurrentGuest, LINK_PARAM, putGuest } from '../../contract/guest.ts'
import { guestUserId } from '../../contract/links.ts'
import { anyone } from '../auth/checks.ts'
import { signedIn } from '../auth/guard.ts'
import { openGuest, signedInOrGuest } from '../auth/guest.ts'
import { openDatabase } from '../auth/open-database.ts'
import type { AppEnv } from '../context.ts'
import { AppError, notFound } from '../http/errors.ts'
import { body } from '../http/validate.ts'
import type { Holder } from '../queries/claims.ts'
import { findSharedHead, nameGuest } from '../queries/guests.ts'

const byLink = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.query(LINK_PARAM) !== undefined) return next()
  await signedIn(c, async () => {})
  throw notFound('The link')
})

/** Who the caller is as a guest. */
export const guest = new Hono<AppEnv>()
  .use(byLink)
  .get('/', signedInOrGuest, async (c) => {
    const holder = await holderOf(c)
    return c.json({ success: true, guest: await currentGuest(c, holder) }, 200, { 'cache-control': 'no-store' })
  })
  .put('/', anyone, body(putGuest.body), async (c) => {
    const holder = await holderOf(c)
    const before = await currentGuest(c, holder)
    const { name } = c.req.valid('json')
    await nameGuest(c.var.db, holder, name)
    return c.json({ success: true, guest: { ...before, name } })
  })

async function holderOf(c: Context<AppEnv>): Promise<Holder> {
  const holder = await openGuest(c, c.req.query(LINK_PARAM) ?? '')
  if (!holder) throw new AppError('unauthenticated', 'Open the link again')
  return holder
}

async function currentGuest(c: Context<AppEnv>, { access, guest }: Holder): Promise<CurrentGuest> {
  const head = await findSharedHead(openDatabase(c, { access, writes: false }))
  const { link, collectionId, title, allows, download } = head
  return { user_id: guestUserId(guest), name: head.guest, link: { id: link, collection_id: collectionId, title, allows, download } }
}
