import { type Context, Hono } from 'hono'
import { t } from '#say'
import { type CurrentGuest, LINK_PARAM, putGuest } from '../../contract/guest.ts'
import { guestUserId } from '../../contract/links.ts'
import { ownOnly } from '../auth/checks.ts'
import { openGuest, signedInOrGuest } from '../auth/guest.ts'
import { openDatabase } from '../auth/open-database.ts'
import type { AppEnv } from '../context.ts'
import { notFound } from '../http/errors.ts'
import { body } from '../http/validate.ts'
import { checkAccess } from '../queries/access.ts'
import type { Holder } from '../queries/claims.ts'
import { findSharedHead, nameAuthor } from '../queries/guests.ts'
import { limitNaming, nameGuest } from '../services/links/name-guest.ts'

/** Who the caller is as a guest. */
export const guest = new Hono<AppEnv>()
  .get('/', signedInOrGuest, async (c) => {
    return c.json({ success: true, guest: await currentGuest(c, await holderOf(c)) })
  })
  .put('/', signedInOrGuest, ownOnly, body(putGuest.body), async (c) => {
    const holder = await holderOf(c)
    const before = await currentGuest(c, holder)
    const { name } = c.req.valid('json')
    const naming = namingOf(c, holder, before.link.collection_id)
    if (name !== before.name) {
      await limitNaming(openDatabase(c, { writes: false }), holder, c.env.RATE_LIMIT_FACTOR)
      await nameGuest(naming, holder, name)
    } else await nameAuthor(naming.db, holder.guest) // The time before, this may have failed.
    return c.json({ success: true, guest: { ...before, name } })
  })

/** Throws 404 for members, who are nobody's guests. */
async function holderOf(c: Context<AppEnv>): Promise<Holder> {
  const holder = await openGuest(c, c.req.query(LINK_PARAM) ?? '')
  if (holder) return holder
  await checkAccess(c.var.db)
  throw notFound(t`The link was not found`)
}

/** What it takes to name a guest of this collection. */
export const namingOf = (c: Context<AppEnv>, { access }: Holder, collectionId: string) => ({
  env: c.env,
  db: openDatabase(c),
  asGuest: openDatabase(c, { access, writes: false }),
  collectionId,
  later: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
})

async function currentGuest(c: Context<AppEnv>, { access, guest }: Holder): Promise<CurrentGuest> {
  const head = await findSharedHead(openDatabase(c, { access, writes: false }))
  const { link, collectionId, title, allows, download } = head
  return { user_id: guestUserId(guest), name: head.guest, link: { id: link, collection_id: collectionId, title, allows, download } }
}
