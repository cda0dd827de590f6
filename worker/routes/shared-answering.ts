import { type Context, Hono } from 'hono'
import { say } from '#language'
import { t } from '#say'
import { NewComment } from '../../contract/comments.ts'
import { isEmoji } from '../../contract/emoji.ts'
import { ERROR_STATUS } from '../../contract/errors.ts'
import { newId } from '../../contract/ids.ts'
import { Entry, guestUserId } from '../../contract/links.ts'
import { checks } from '../auth/checks.ts'
import { openDatabase } from '../auth/open-database.ts'
import type { AppEnv } from '../context.ts'
import { AppError, toAppError } from '../http/errors.ts'
import { attemptLimit } from '../http/limited.ts'
import { itemPage } from '../http/link-item-page.ts'
import { readForm } from '../http/read-form.ts'
import { idParam, parse } from '../http/validate.ts'
import type { Holder } from '../queries/claims.ts'
import { findNewestComments, ITEM_NOT_FOUND } from '../queries/comments.ts'
import { findSharedHead } from '../queries/guests.ts'
import type { Checks, ItemKind } from '../queries/permissions.ts'
import { nameGuest } from '../services/links/name-guest.ts'
import { readSharedItem, type SharedThread } from '../services/links/read-shared.ts'
import { addComment, react, takeBack } from '../services/write-comment.ts'
import { namingOf } from './guest.ts'
import { datesOf, filledIn, isOfCursor, pageOf, quiet, requireGuest } from './shared.ts'

/** The page of an item of a link, and the forms by which guests comment and react there. */
export const sharedAnswering = new Hono<AppEnv>()
  .use(quiet)
  .get('/:secret/:kind{post|asset}/:id', async (c) => {
    const access = await requireGuest(c)
    if (!access) return c.redirect(pageOf(c), 303)
    try {
      return await showItem(c, access)
    } catch (error) {
      if (isOfCursor(error)) return c.redirect(c.req.path, 303)
      throw error
    }
  })
  .post('/:secret/:kind{post|asset}/:id', checks('comment.add'), async (checked) => {
    // The marker adds to the context what `answer` gets apart.
    const c = checked as unknown as Context<AppEnv>
    const access = await requireGuest(c)
    if (!access) return c.redirect(pageOf(c), 303)
    const sent = filledIn(await readForm(c.req.raw, ['id', 'text', 'name', 'emoji', 'off']))
    try {
      const said = await answer(c, { ...access, checks: checked.var.checks }, sent)
      return c.redirect(`${c.req.path}${said ?? `${new URL(c.req.url).search}#answers`}`, 303)
    } catch (error) {
      const refusal = toAppError(error)
      if (refusal.code === 'internal' || refusal.code === 'unauthenticated') throw error
      return await showItem(c, access, { error: refusal, sent })
    }
  })

function threadOf(c: Context<AppEnv>): SharedThread {
  const kind: ItemKind = c.req.param('kind') === 'post' ? 'post' : 'asset'
  return { kind, id: idParam(c.req.param('id'), say(ITEM_NOT_FOUND[kind])) }
}

/** `failed`: what the guest sent, and why it was not taken. */
async function showItem(
  c: Context<AppEnv>,
  { guest, access }: Holder,
  failed?: { error: AppError; sent: Record<string, unknown> },
): Promise<Response> {
  const content = await readSharedItem(openDatabase(c, { access, writes: false }), guest, threadOf(c), c.req.query('cursor'))
  const problem = failed && { text: typeof failed.sent.text === 'string' ? failed.sent.text : '', message: failed.error.message }
  const page = itemPage(content, {
    dates: datesOf(c),
    all: pageOf(c),
    isLater: c.req.query('cursor') !== undefined,
    problem,
  })
  return c.html(page, failed ? ERROR_STATUS[failed.error.code] : 200)
}

/**
 * Writes a comment, or leaves a reaction or takes it back. A form that is sent twice says one thing. Returns where on the page of the item a comment is, which
 * may be after many others.
 */
async function answer(
  c: Context<AppEnv>,
  { checks, ...guest }: Holder & { checks: Checks<'comment.add'> },
  { name, emoji, off, ...said }: Record<string, unknown>,
): Promise<string | null> {
  const head = await findSharedHead(openDatabase(c, { access: guest.access, writes: false }))
  const { collectionId } = head
  if (name !== undefined && head.guest === null) await nameGuest(namingOf(c, guest, collectionId), guest, parse(Entry, { name }).name ?? '')
  const thread = { ...threadOf(c), collectionId }
  const user = { id: guestUserId(guest.guest), email: '', emailVerified: false }
  const caller = { db: openDatabase(c, { access: guest.access, guest: 'answer' }), user, checks }
  const limit = await attemptLimit({ var: { user, link: guest.link }, env: c.env }, emoji === undefined ? 'comment' : 'reaction')
  if (emoji === undefined) {
    const input = parse(NewComment, { ...said, collection_id: collectionId })
    let { made, comment } = await addComment({ ...caller, limit }, thread, input)
    // After going back, a browser may show the form with the id of what was sent before.
    if (!made && comment.text !== input.text) ({ comment } = await addComment({ ...caller, limit }, thread, { ...input, id: newId() }))
    const cursor = await findNewestComments(openDatabase(c, { access: guest.access, writes: false }), user.id, thread)
    return `${cursor === null ? '' : `?${new URLSearchParams({ cursor })}`}#c-${comment.id}`
  }
  if (typeof emoji !== 'string' || !isEmoji(emoji)) throw new AppError('invalid', t`A reaction is exactly one emoji`)
  if (off === undefined) await react({ ...caller, limit }, thread, emoji)
  else await takeBack(caller, thread, emoji)
  return null
}
