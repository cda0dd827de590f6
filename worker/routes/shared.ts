import { type Context, Hono } from 'hono'
import { dateFormat, NO_DATE_SETTINGS } from '../../contract/date-format.ts'
import { ERROR_STATUS } from '../../contract/errors.ts'
import { Entry } from '../../contract/links.ts'
import { anyone } from '../auth/checks.ts'
import { openGuest, storeGuest } from '../auth/guest.ts'
import { openDatabase } from '../auth/open-database.ts'
import type { AppEnv } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { type Questions, questionsPage, sharedPage } from '../http/link-page.ts'
import { preferredLanguage } from '../http/preferred-language.ts'
import { readForm } from '../http/read-form.ts'
import { parse } from '../http/validate.ts'
import { isStillGuest } from '../queries/guests.ts'
import { enterLink, findOpenLink } from '../services/links/enter-link.ts'
import { type Cursors, readShared } from '../services/links/read-shared.ts'

/** No search engine, no shared cache, and no other site learns the address. A form of the page says where it comes from (auth/origin.ts). */
const QUIET = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'same-origin' }

/** What a link shows, as a page that needs no script, or the form that asks for its password and a name. */
export const shared = new Hono<AppEnv>()
  .get('/:secret', async (c) => {
    try {
      return await showShared(c)
    } catch (error) {
      return await askAgain(c, error, {})
    }
  })
  .post('/:secret', anyone, async (c) => {
    const sent = await readForm(c.req.raw, ['password', 'name'])
    try {
      // A browser sends fields that were left empty too.
      await enter(c, parse(Entry, Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''))))
      return c.redirect(c.req.path, 303)
    } catch (error) {
      return await askAgain(c, error, sent)
    }
  })

const visitOf = (c: Context<AppEnv>) => ({
  secret: c.req.param('secret') ?? '',
  address: c.req.header('cf-connecting-ip'),
  factor: c.env.RATE_LIMIT_FACTOR,
})

async function enter(c: Context<AppEnv>, entry: Entry): Promise<{ guest: string; access: string }> {
  const { guest, access, link } = await enterLink(c.var.db, {
    ...visitOf(c),
    entry,
    known: async (linkId) => (await openGuest(c, linkId))?.guest ?? null,
  })
  await storeGuest(c, { link: link.id, guest: guest.id, access })
  return { guest: guest.id, access }
}

async function showShared(c: Context<AppEnv>): Promise<Response> {
  const link = await findOpenLink(c.var.db, visitOf(c))
  const known = await openGuest(c, link.id)
  const { guest, access } = known && (await isStillGuest(c.var.db, known)) ? known : await enter(c, {})
  const { posts, assets } = c.req.query()
  const cursors: Cursors | undefined =
    posts === undefined && assets === undefined ? undefined : { posts: posts ?? null, assets: assets ?? null }
  const content = await readShared(openDatabase(c, { access, writes: false }), guest, cursors)
  const language = preferredLanguage(c.req.header('accept-language'))
  const dates = dateFormat(NO_DATE_SETTINGS, { language, timeZone: 'UTC' })
  const next =
    content.after && new URLSearchParams(Object.entries(content.after).flatMap(([kind, cursor]) => (cursor ? [[kind, cursor]] : [])))
  return c.html(sharedPage(content, { dates, more: next && `?${next}` }), 200, QUIET)
}

/** The form once more, if that is what the link needs. */
async function askAgain(c: Context<AppEnv>, error: unknown, sent: object): Promise<Response> {
  if (!(error instanceof AppError) || !error.fields) throw error
  return c.html(questionsPage(questionsAfter(error, sent)), Object.keys(sent).length > 0 ? ERROR_STATUS[error.code] : 200, QUIET)
}

/** Nothing is wrong yet with a form that nobody has sent. */
function questionsAfter({ fields = {} }: AppError, sent: object): Questions {
  const asked = (id: 'password' | 'name') => id in fields || id in sent
  return { password: asked('password'), name: asked('name'), problems: Object.keys(sent).length > 0 ? fields : {} }
}
