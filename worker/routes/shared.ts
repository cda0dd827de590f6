import { type Context, Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { shownLanguage } from '#language'
import { t } from '#say'
import type { SessionUser } from '../../contract/auth.ts'
import { dateFormat, NO_DATE_SETTINGS } from '../../contract/date-format.ts'
import { ERROR_STATUS } from '../../contract/errors.ts'
import { Entry, guestUserId } from '../../contract/links.ts'
import { anyone, ownOnly } from '../auth/checks.ts'
import { currentSession, requireVerifiedEmail } from '../auth/guard.ts'
import { openGuest, storeGuest } from '../auth/guest.ts'
import { openDatabase } from '../auth/open-database.ts'
import { refuseTokens } from '../auth/personal-token.ts'
import type { AppEnv } from '../context.ts'
import { AppError, notFound, toAppError } from '../http/errors.ts'
import { PREVIEW, type Questions, questionsPage, type Standing, sharedPage } from '../http/link-page.ts'
import { preferredLanguage } from '../http/preferred-language.ts'
import { readForm } from '../http/read-form.ts'
import { parse, type WithParam } from '../http/validate.ts'
import { sendsMail } from '../mail.ts'
import { checkAccess } from '../queries/access.ts'
import { claimGuests, type Holder, mayBe } from '../queries/claims.ts'
import { listOwnContributions } from '../queries/contributions.ts'
import { findSharedHead, isStillGuest, type SharedHead } from '../queries/guests.ts'
import { findLinkImage } from '../queries/images.ts'
import { findOwnStanding, type OwnStanding } from '../queries/join-requests.ts'
import { hasWeeklyMail } from '../queries/weekly-mails.ts'
import { limitAttempts } from '../services/accounts/limit-attempts.ts'
import { askToJoin, tellAdmins, withdrawRequest } from '../services/join-requests.ts'
import { enterLink, findOpenLink } from '../services/links/enter-link.ts'
import { type Cursors, readShared } from '../services/links/read-shared.ts'
import { serveImage } from '../services/serve-image.ts'

/** No search engine, no shared cache, and no other site learns the address. A form of the page says where it comes from (auth/origin.ts). */
const QUIET = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'same-origin' }

/** Where signing in leads back to, as the app keeps it (web/lib/return-path.ts). */
const RETURN = { cookie: 'return-to', seconds: 30 * 60 }

export const quiet = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(QUIET)) c.header(name, value)
})

/** What a link shows, as pages that need no script, or the form that asks for its password and a name. */
export const shared = new Hono<AppEnv>()
  .use(quiet)
  .get('/:secret', async (c) => {
    try {
      return await showShared(c)
    } catch (error) {
      return isOfCursor(error) ? c.redirect(c.req.path, 303) : await askAgain(c, error, {})
    }
  })
  .post('/:secret', anyone, async (c) => {
    const sent = await readForm(c.req.raw, ['password', 'name'])
    try {
      await enter(c, parse(Entry, filledIn(sent)))
      return c.redirect(c.req.path, 303)
    } catch (error) {
      return await askAgain(c, error, sent)
    }
  })
  .get('/:secret/picture', async (c) => {
    const link = await findOpenLink(c.var.db, visitOf(c))
    const image = link.preview ? await findLinkImage(c.var.db, link.id) : null
    if (!image) throw notFound(t`The picture was not found`)
    const stores = {
      bucket: c.env.FILES,
      images: c.env.IMAGES,
      later: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
      limit: () =>
        limitAttempts(c.var.db, {
          actions: ['image'],
          user: link.id,
          photo: image.id,
          factor: c.env.RATE_LIMIT_FACTOR,
          what: (wait) => t`Too many pictures. Try again in ${wait}`,
        }),
    }
    return serveImage(stores, image, { ...PREVIEW, fit: 'cover', format: 'jpeg' }, c.req.raw)
  })
  // The page of a refusal has these addresses.
  .get('/:secret/:form{join|withdraw|claim}', (c) => c.redirect(pageOf(c), 303))
  .post('/:secret/join', refuseTokens, ownOnly, (c) => asMember(c, ask))
  .post('/:secret/withdraw', refuseTokens, ownOnly, (c) => asMember(c, withdraw))
  .post('/:secret/claim', refuseTokens, ownOnly, (c) =>
    asMember(c, async (_, holder, user) => void (await claimGuests(c.var.db, user, [holder]))),
  )

/** The address of the link's page. */
export const pageOf = (c: WithParam<'secret'>) => `/s/${c.req.param('secret')}`

const visitOf = (c: Context<AppEnv>) => ({
  secret: c.req.param('secret') ?? '',
  address: c.req.header('cf-connecting-ip'),
  factor: c.env.RATE_LIMIT_FACTOR,
  known: (linkId: string) => openGuest(c, linkId),
})

/** A browser sends fields that were left empty too. */
export const filledIn = (sent: Partial<Record<string, string | File>>) =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''))

async function enter(c: Context<AppEnv>, entry: Entry): Promise<Holder> {
  const { holder } = await enterLink(c.var.db, { ...visitOf(c), entry })
  await storeGuest(c, holder)
  return holder
}

/** The guest that the browser is at this link, or null if it has not entered yet. */
export async function requireGuest(c: Context<AppEnv>): Promise<Holder | null> {
  const link = await findOpenLink(c.var.db, visitOf(c))
  const known = await openGuest(c, link.id)
  return known && (await isStillGuest(c.var.db, known)) ? known : null
}

/**
 * Mail scanners and previews of messengers fetch a link before its reader does. Browsers say that they open a page; one that is too old to say so is counted
 * once it comes back with its cookie, such as for the first picture.
 */
const isOpenedByPerson = (c: Context<AppEnv>) => c.req.header('sec-fetch-dest') === 'document'

/** `refusal`: why what the reader asked for was not done. */
async function showShared(c: Context<AppEnv>, known?: Holder, refusal?: AppError): Promise<Response> {
  const holder = known ?? (await requireGuest(c))
  const { guest, access, back } = holder ?? (await enter(c, {}))
  const db = openDatabase(c, { access, unseen: !holder && !isOpenedByPerson(c), writes: false })
  const { posts, assets } = c.req.query()
  const cursors: Cursors | undefined =
    posts === undefined && assets === undefined ? undefined : { posts: posts ?? null, assets: assets ?? null }
  const content = await readShared(db, guest, cursors)
  const next =
    content.after && new URLSearchParams(Object.entries(content.after).flatMap(([kind, cursor]) => (cursor ? [[kind, cursor]] : [])))
  const weekly = sendsMail(c.env) ? await weeklyOf(c, guest) : null
  const { standing, wrote } = await standingOf(c, content.head, { guest, back })
  const waiting = content.head.allows === 'add' ? await listOwnContributions(db) : []
  const path = pageOf(c)
  const page = {
    dates: datesOf(c),
    path,
    more: next && `${path}?${next}`,
    standing,
    waiting,
    claims: wrote,
    weekly,
    problem: refusal?.message,
    preview: content.head.preview ? new URL(`${path}/picture`, c.env.APP_ORIGIN).href : null,
  }
  return c.html(sharedPage(content, page), refusal ? ERROR_STATUS[refusal.code] : 200)
}

/** Does what a guest sends by a form, and leads to the address that `work` returns, else to the page. Shows the page with the reason if it is refused. */
export async function formOfGuest(c: Context<AppEnv>, work: (holder: Holder) => Promise<string | undefined>): Promise<Response> {
  const holder = await requireGuest(c)
  if (!holder) return c.redirect(pageOf(c), 303)
  try {
    return c.redirect((await work(holder)) ?? pageOf(c), 303)
  } catch (error) {
    const refusal = toAppError(error)
    if (refusal.code === 'internal' || refusal.code === 'unauthenticated') throw error
    return await showShared(c, holder, refusal)
  }
}

async function weeklyOf(c: Context<AppEnv>, guest: string): Promise<'on' | 'asked' | 'off'> {
  if (await hasWeeklyMail(c.var.db, guest)) return 'on'
  return c.req.query('weekly') === 'asked' ? 'asked' : 'off'
}

/**
 * How the reader stands to the collection, where the link lets people ask to become members, and whether they have signed in since they wrote as a guest. From
 * here on, the database of the request is that of their own session, if they have one.
 */
async function standingOf(
  c: Context<AppEnv>,
  { collectionId, join, allows }: SharedHead,
  holder: Pick<Holder, 'guest' | 'back'>,
): Promise<{ standing: Standing | null; wrote: boolean }> {
  const outside = { standing: join ? ('outside' as const) : null, wrote: false }
  if (!join && allows === 'look') return outside
  const found = await ownStanding(c, collectionId, holder).catch(() => null)
  if (!found) return outside
  const { role, state, wrote } = found
  const standing = role ? 'member' : state === 'pending' || state === 'declined' ? state : 'outside'
  return { standing: join ? standing : null, wrote }
}

/** Null without a session. Throws for one that has been revoked, and while nobody can sign in; the page is shown all the same. */
async function ownStanding(c: Context<AppEnv>, collectionId: string, holder: Pick<Holder, 'guest' | 'back'>): Promise<OwnStanding | null> {
  const session = await currentSession(c)
  if (!session) return null
  const found = await findOwnStanding(c.var.db, session.user.id, { collectionId, guestUser: guestUserId(holder.guest) })
  return { ...found, wrote: found.wrote && mayBe(session.user, holder) }
}

/**
 * Does what a reader asks for with their account, and shows the page again, or why it was not done. Whoever must sign in first is led to it, and from there
 * back here.
 */
async function asMember(
  c: Context<AppEnv>,
  act: (c: Context<AppEnv>, holder: Holder, user: SessionUser) => Promise<void>,
): Promise<Response> {
  const page = pageOf(c)
  const holder = await requireGuest(c)
  if (!holder) return c.redirect(page, 303)
  try {
    const session = await currentSession(c)
    // It may have been revoked.
    if (!session || !(await checkAccess(c.var.db).then(() => true, isUnauthenticated))) {
      const secure = c.env.APP_ORIGIN.startsWith('https:')
      // Back to the button, which asks only when it is pressed: most links are far longer than the screen.
      const place = c.req.path === `${page}/join` ? `${page}#join` : page
      setCookie(c, RETURN.cookie, place, { path: '/', maxAge: RETURN.seconds, sameSite: 'Lax', secure })
      return c.redirect('/login', 303)
    }
    c.set('user', session.user)
    await act(c, holder, session.user)
    return c.redirect(page, 303)
  } catch (error) {
    const refusal = toAppError(error)
    if (refusal.code === 'internal') throw error
    return await showShared(c, holder, refusal)
  }
}

const collectionAt = async (c: Context<AppEnv>, { access }: Holder) =>
  (await findSharedHead(openDatabase(c, { access, writes: false }))).collectionId

async function ask(c: Context<AppEnv>, holder: Holder, { id: userId }: SessionUser): Promise<void> {
  const collectionId = await collectionAt(c, holder)
  await requireVerifiedEmail(c)
  const { made, request } = await askToJoin(c.var.db, { userId, collectionId, holder, factor: c.env.RATE_LIMIT_FACTOR })
  if (made) c.executionCtx.waitUntil(tellAdmins(c.env, c.var.db, request.id))
}

async function withdraw(c: Context<AppEnv>, holder: Holder, { id }: SessionUser): Promise<void> {
  await withdrawRequest(c.var.db, id, await collectionAt(c, holder))
}

export const datesOf = (c: Context<AppEnv>) =>
  dateFormat(NO_DATE_SETTINGS, { language: preferredLanguage(c.req.header('accept-language')), timeZone: 'UTC' }, shownLanguage())

/** The address of a later page is that of the guest who got it; others who have it start at the first. */
export const isOfCursor = (error: unknown) => error instanceof AppError && error.fields?.cursor !== undefined

/** The form once more, if that is what the link needs. */
async function askAgain(c: Context<AppEnv>, error: unknown, sent: object): Promise<Response> {
  if (!(error instanceof AppError && error.fields && ('password' in error.fields || 'name' in error.fields))) throw error
  return c.html(questionsPage(questionsAfter(error, sent)), Object.keys(sent).length > 0 ? ERROR_STATUS[error.code] : 200)
}

/** Nothing is wrong yet with a form that nobody has sent. */
function questionsAfter({ fields = {} }: AppError, sent: object): Questions {
  const asked = (id: 'password' | 'name') => id in fields || id in sent
  return { password: asked('password'), name: asked('name'), problems: Object.keys(sent).length > 0 ? fields : {} }
}

/** False for a session that has been revoked; throws anything else. */
function isUnauthenticated(error: unknown): false {
  if (toAppError(error).code !== 'unauthenticated') throw error
  return false
}
