import { Hono } from 'hono'
import { t } from '#say'
import { Entry, LinkEdit, NewLink } from '../../contract/links.ts'
import { permissionsOf } from '../../contract/policy.ts'
import { anyone, checks, ownOnly } from '../auth/checks.ts'
import { signedIn } from '../auth/guard.ts'
import { openGuest, openGuests, storeGuest } from '../auth/guest.ts'
import { refuseTokens } from '../auth/personal-token.ts'
import type { AppEnv } from '../context.ts'
import { body, collectionParam, idParam, type WithParam } from '../http/validate.ts'
import { claimGuests } from '../queries/claims.ts'
import { enterLink } from '../services/links/enter-link.ts'
import { editLink, linksOfCollection, makeLink, removeLink } from '../services/links/make-link.ts'

const keyOf = (c: WithParam<'id' | 'linkId'>) => ({
  collectionId: collectionParam(c),
  id: idParam(c.req.param('linkId'), t`The link was not found`),
})

/** Not for access tokens: a link would outlive the token that made it. */
export const links = new Hono<AppEnv>()
  .use(refuseTokens)
  .get('/', signedIn, checks('links.make'), async (c) =>
    c.json({ success: true, links: await linksOfCollection(c.var, collectionParam(c)) }),
  )
  .post('/', signedIn, checks('links.make', 'members.manage'), body(NewLink), async (c) => {
    const { made, link, secret } = await makeLink(c.var, collectionParam(c), c.req.valid('json'))
    if (!made) return c.json({ success: true, link })
    const url = new URL(`/s/${secret}`, c.env.APP_ORIGIN).href
    return c.json({ success: true, link: { ...link, url } }, 201)
  })
  .patch('/:linkId', signedIn, checks('links.make', 'members.manage'), body(LinkEdit), async (c) =>
    c.json({ success: true, link: await editLink(c.var, keyOf(c), c.req.valid('json')) }),
  )
  .delete('/:linkId', signedIn, checks('links.make'), async (c) => {
    await removeLink(c.var, keyOf(c))
    return c.json({ success: true })
  })

/** For people without an account, who have the secret. */
export const openLinks = new Hono<AppEnv>()
  .post('/claim', refuseTokens, signedIn, ownOnly, async (c) =>
    c.json({ success: true, ...(await claimGuests(c.var.db, c.var.user, await openGuests(c))) }),
  )
  .post('/:secret/enter', anyone, body(Entry), async (c) => {
    const { guest, holder, link, answers } = await enterLink(c.var.db, {
      secret: c.req.param('secret'),
      entry: c.req.valid('json'),
      address: c.req.header('cf-connecting-ip'),
      factor: c.env.RATE_LIMIT_FACTOR,
      known: (linkId) => openGuest(c, linkId),
    })
    await storeGuest(c, holder)
    const permissions = { ...permissionsOf('guest'), 'comment.add': answers, 'item.add': link.allows === 'add' }
    return c.json({ success: true, link, guest, permissions })
  })
