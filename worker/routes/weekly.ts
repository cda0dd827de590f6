import { Hono } from 'hono'
import { say } from '#language'
import { t } from '#say'
import { Email } from '../../contract/text.ts'
import { anyone } from '../auth/checks.ts'
import { openGuest, storeGuest } from '../auth/guest.ts'
import { openMailToken } from '../auth/mail-token.ts'
import { openDatabase } from '../auth/open-database.ts'
import type { AppEnv } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { readField, readForm } from '../http/read-form.ts'
import { timeZoneOf } from '../http/time-zone-of.ts'
import { confirmPage, endedPage, endPage, onPage } from '../http/weekly-page.ts'
import { findSharedHead, isStillGuest } from '../queries/guests.ts'
import { endWeeklyMail } from '../queries/weekly-mails.ts'
import { askForWeeklyMail, comeBack, confirmWeekly, openConfirmation } from '../services/weekly-guests.ts'
import { LINK_VOID } from './auth.ts'
import { formOfGuest, pageOf, quiet, requireGuest } from './shared.ts'

/** Weekly mails of guests, and what the addresses in all weekly mails lead to. Opening an address changes nothing. */
export const weekly = new Hono<AppEnv>()
  .use(quiet)
  .get('/weekly/confirm/:token', async (c) => c.html(confirmPage((await openConfirmation(c.env, c.req.param('token'))).email)))
  .post('/weekly/confirm/:token', anyone, async (c) => c.html(onPage(await confirmWeekly(c.env, c.var.db, c.req.param('token')))))
  .get('/weekly/end/:token', (c) => c.html(endPage()))
  // Also called by mail programs, which send neither an Origin nor a cookie (auth/origin.ts). Of a mail that has ended the answer tells nothing.
  .post('/weekly/end/:token', anyone, async (c) => {
    if ((await readField(c.req.raw, 'List-Unsubscribe')) !== 'One-Click') throw new AppError('invalid', t`Send List-Unsubscribe=One-Click`)
    const opened = await openMailToken(c.env, 'end', c.req.param('token'))
    // Perhaps its key was removed, so nothing may say that the mail has ended.
    if (!opened) throw new AppError('gone', say(LINK_VOID))
    await endWeeklyMail(c.var.db, { id: opened.endsWeekly })
    return c.html(endedPage())
  })
  .get('/back/:token', async (c) => {
    const guest = await comeBack(c.env, c.var.db, c.req.param('token'))
    const present = await openGuest(c, guest.link)
    // A guest who is already in keeps their identity.
    if (!present || !(await isStillGuest(c.var.db, present))) await storeGuest(c, guest)
    const to = c.req.query('to') ?? ''
    return c.redirect(`/s/${guest.link}${ITEM.test(to) ? `/${to}` : ''}`, 303)
  })
  .get('/:secret/:form{weekly|weekly-end}', (c) => c.redirect(pageOf(c), 303))
  .post('/:secret/weekly', anyone, (c) =>
    formOfGuest(c, async (holder) => {
      const { email } = await readForm(c.req.raw, ['email'])
      const { title } = await findSharedHead(openDatabase(c, { access: holder.access, writes: false }))
      const parsed = Email.safeParse(email)
      if (!parsed.success) throw new AppError('invalid', parsed.error.issues[0]?.message ?? t`Enter an e-mail address`)
      const address = c.req.header('cf-connecting-ip')
      await askForWeeklyMail(c.env, c.var.db, { holder, email: parsed.data, title, timeZone: timeZoneOf(c), address })
      return `${pageOf(c)}?weekly=asked#weekly`
    }),
  )
  .post('/:secret/weekly-end', anyone, async (c) => {
    const holder = await requireGuest(c)
    if (holder) await endWeeklyMail(c.var.db, { guest: holder.guest })
    return c.redirect(`${pageOf(c)}#weekly`, 303)
  })

const ITEM = /^(post|asset)\/[0-9a-f-]{36}$/
