import sharp from 'sharp'
import { test as base, describe, expect, inject } from 'vitest'
import { ATTEMPTS } from '../../contract/attempts.ts'
import { newId } from '../../contract/ids.ts'
import type { NewLink } from '../../contract/links.ts'
import { Client } from '../../dev/http-client.ts'
import { sealMailToken } from '../../worker/auth/mail-token.ts'
import { attemptKey } from '../../worker/services/accounts/limit-attempts.ts'
import { type GuestClient, guestOf, secretOf } from '../support/guests.ts'
import { COTTAGE } from '../support/hidden-places.ts'
import { type Mail, mailsTo, mailTo } from '../support/mail.ts'
import { uploadPicture } from '../support/pictures.ts'
import { assetRow } from '../support/rows.ts'
import { runMinutesTask } from '../support/storage.ts'
import { PASSWORD, register, type World, world } from '../support/world.ts'

/** Mails are found by their subject. */
const NEWS = 'What is new'

const test = base.extend('w', () => world({ bob: 'read', wes: 'write' }))

const notices = (w: World, name: string, body: unknown) => w.as(name).put(`/api/collections/${w.collection.id}/notices`, body)

async function subscribe(w: World, name: string) {
  const { status, body } = await notices(w, name, { weekly: true })
  expect([status, body.notices?.weekly]).toEqual([200, true])
}

/** Monday morning has come. */
const makeDue = (w: World) => w.sql`update weekly_mails set due_at = now() - interval '1 minute' where collection_id = ${w.collection.id}`

/** Runs the minute's task until nothing is due in this collection: a run sends so many mails at most. */
async function sendDue(w: World) {
  await makeDue(w)
  await expect
    .poll(async () => {
      await runMinutesTask()
      return w.sql`select id from weekly_mails where collection_id = ${w.collection.id} and due_at <= now()`
    })
    .toEqual([])
}

const post = async (w: World, name: string, more: object = {}) => {
  const made = await w
    .as(name)
    .post('/api/post', { type: 'note', title: 'First snow', body: '<p>It snows</p>', collectionIds: [w.collection.id], ...more })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.post
}

const news = async (email: string) => (await mailsTo(email)).filter(({ subject }) => subject.includes(NEWS))
const whole = ({ subject, text, html, headers }: Mail) => [subject, text, html, JSON.stringify(headers)].join('\n')

describe('members', () => {
  test('The weekly mail is off until a member asks for it, beside the mute that stays as it is', async ({ w }) => {
    const read = async () => (await w.as('bob').get(`/api/collections/${w.collection.id}/notices`)).body
    expect(await read()).toMatchObject({ notices: { muted: false, weekly: false }, sendsMail: true })
    expect((await notices(w, 'bob', { muted: true })).body.notices).toEqual({ muted: true, weekly: false })
    expect((await notices(w, 'bob', { weekly: true })).body.notices).toEqual({ muted: true, weekly: true })
    expect((await notices(w, 'bob', { muted: false })).body.notices).toEqual({ muted: false, weekly: true })
    expect((await notices(w, 'bob', { weekly: false })).body.notices).toEqual({ muted: false, weekly: false })
    expect((await read()).notices).toEqual({ muted: false, weekly: false })
  })

  test('A reader gets the new photos as pictures in the mail, the posts, the comments and what was on this day', async ({ w }) => {
    const collectionIds = [w.collection.id]
    const today = new Date()
    // The reader is in another time zone, and the day may end before the mail is sent.
    for (const ahead of [-1, 0, 1]) {
      const past = new Date(Date.UTC(today.getUTCFullYear() - 3, today.getUTCMonth(), today.getUTCDate() + ahead, 12)).toISOString()
      await post(w, 'ada', { title: 'Midsummer', date: past, dateZone: 'UTC', datePrecision: 'day' })
    }
    await subscribe(w, 'bob')
    await uploadPicture(w.as('ada'), 'kingfisher-on-a-branch', 640, {
      collectionIds,
      alt: 'A kingfisher',
      date: '2025-05-03T14:20:00Z',
      dateZone: 'UTC',
    })
    const { id } = await post(w, 'ada', { title: 'Snow & <b>ice</b>', body: '<p>It snows &amp; snows</p>' })
    const comment = { id: newId(), collection_id: w.collection.id, text: 'Lovely' }
    expect((await w.as('wes').post(`/api/post/${id}/comments`, comment)).status).toBe(201)
    await sendDue(w)
    const mail = await mailTo(w.as('bob').email, NEWS)
    expect(mail.subject).toBe('What is new in “Kyoto”')
    expect(mail.text).toContain('Ada Test added 1 photo and 1 post to the collection “Kyoto”.')
    expect(mail.text).toContain('There is 1 new comment.')
    expect(mail.text).toContain('A kingfisher, 3 May 2025, 14:20')
    expect(mail.text).toContain('Snow & <b>ice</b>')
    expect(mail.text).toContain('It snows & snows')
    expect(mail.text).toMatch(/On this day:\n- 3 years ago, [^:]+: Midsummer/)
    expect(mail.html).toContain('Snow &amp; &lt;b&gt;ice&lt;/b&gt;')
    expect(mail.link).toBe(`${w.origin}/collections/timeline?c=${w.collection.id}`)
    // Only what comes with the mail is shown.
    const sources = [...(mail.html ?? '').matchAll(/src="([^"]+)"/g)].map(([, source]) => source)
    expect(sources).toEqual(mail.attachments?.map(({ cid }) => `cid:${cid}`))
    expect(mail.html).toContain('alt="A kingfisher, 3 May 2025, 14:20"')
    const [picture] = mail.attachments ?? []
    expect(picture?.type).toBe('image/jpeg')
    const { width, height, format, exif } = await sharp(Buffer.from(picture?.content ?? '', 'base64')).metadata()
    expect([width, height, format, exif]).toEqual([256, 256, 'jpeg', undefined])
    expect(mail.headers).toMatchObject({
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': expect.stringMatching(/^<http.*\/s\/weekly\/end\/[\w.-]+>$/),
      'List-Id': expect.stringContaining(w.collection.id),
    })
    // Readers add nothing.
    expect(mail.replyTo).toBeUndefined()
  })

  test('A group whose cover is in the trash is one photo of this day', async ({ w }) => {
    const today = new Date()
    for (const ahead of [-1, 0, 1]) {
      const past = new Date(Date.UTC(today.getUTCFullYear() - 3, today.getUTCMonth(), today.getUTCDate() + ahead, 12)).toISOString()
      const parts = [await assetRow(w, 'ada'), await assetRow(w, 'ada'), await assetRow(w, 'ada')]
      await w.sql`update assets set date = ${past}, date_zone = 'UTC', date_precision = 'day' where id = any(${parts})`
      await w.as('ada').put('/api/asset/bulk.collections.add', { ids: parts, collectionIds: [w.collection.id] })
      const grouped = { assetIds: parts, cover: parts[1] }
      expect((await w.as('ada').post(`/api/collections/${w.collection.id}/groups`, grouped)).status).toBe(201)
      expect((await w.as('ada').delete(`/api/asset/${parts[1]}`)).status).toBe(200)
    }
    await subscribe(w, 'bob')
    await post(w, 'ada')
    await sendDue(w)
    expect((await mailTo(w.as('bob').email, NEWS)).text).toMatch(/On this day:\n- 3 years ago, [^:]+: 1 photo\n/)
  })

  test('Two runs at once send one mail, and there is none in a week in which nothing is new', async ({ w }) => {
    await subscribe(w, 'bob')
    await post(w, 'ada')
    await makeDue(w)
    await Promise.all([runMinutesTask(), runMinutesTask(), runMinutesTask()])
    await sendDue(w)
    await mailTo(w.as('bob').email, NEWS)
    await sendDue(w)
    expect(await news(w.as('bob').email)).toHaveLength(1)
    await post(w, 'ada', { title: 'Second snow' })
    await sendDue(w)
    await expect.poll(async () => (await news(w.as('bob').email)).length).toBe(2)
    const [mail] = await news(w.as('bob').email)
    expect(mail?.text).toContain('Second snow')
    expect(mail?.text).not.toContain('First snow')
  })

  test('What members add themselves is no news to them', async ({ w }) => {
    await subscribe(w, 'wes')
    await post(w, 'wes')
    await sendDue(w)
    expect(await news(w.as('wes').email)).toEqual([])
  })

  test('A muted collection sends no mail, and later nothing of the time in which it was muted', async ({ w }) => {
    await subscribe(w, 'bob')
    await notices(w, 'bob', { muted: true })
    await post(w, 'ada')
    await sendDue(w)
    await notices(w, 'bob', { muted: false })
    await sendDue(w)
    expect(await news(w.as('bob').email)).toEqual([])
  })

  test('An address that is not confirmed gets no mail, and neither does one that has taken its place', async ({ w }) => {
    const cora = new Client(w.origin)
    const email = `cora-${crypto.randomUUID()}@example.org`
    const { body } = await cora.post('/api/auth/sign-up', { email, password: 'correct horse battery', firstName: 'Cora', lastName: 'Test' })
    await w.sql`insert into members (collection_id, user_id, role) values (${w.collection.id}, ${body.user.id}, 'read')`
    const refused = await cora.put(`/api/collections/${w.collection.id}/notices`, { weekly: true })
    expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('Confirm your e-mail address first')])
    await subscribe(w, 'bob')
    await post(w, 'ada')
    const another = `bob-${crypto.randomUUID()}@example.org`
    await w.sql`update users set email = ${another} where id = ${w.as('bob').id}`
    await sendDue(w)
    expect([...(await news(another)), ...(await news(w.as('bob').email))]).toEqual([])
  })

  test('A removed member gets no mail', async ({ w }) => {
    await subscribe(w, 'bob')
    await post(w, 'ada')
    expect((await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('bob').id}`)).status).toBe(200)
    expect(await w.sql`select from weekly_mails where collection_id = ${w.collection.id}`).toEqual([])
    await sendDue(w)
    expect(await news(w.as('bob').email)).toEqual([])
  })

  test('Nothing in the mail tells a place that is hidden from its reader', async ({ w }) => {
    expect((await w.as('ada').put(`/api/collections/${w.collection.id}`, { places: 'nothing' })).status).toBe(200)
    await subscribe(w, 'bob')
    const meta = { date: '2024-07-01T12:00:00Z', dateZone: 'Atlantic/Reykjavik', datePrecision: 'minute', location: COTTAGE }
    await post(w, 'ada', meta)
    await uploadPicture(w.as('ada'), 'bowls-of-spices', 640, { ...meta, datePrecision: 'minute', collectionIds: [w.collection.id] })
    await sendDue(w)
    const mail = await mailTo(w.as('bob').email, NEWS)
    const bytes = (mail.attachments ?? []).map(({ content }) => Buffer.from(content, 'base64').toString('latin1'))
    for (const secret of ['64.146', '21.942', 'Elfhome', 'Reykjavik']) expect([whole(mail), ...bytes].join('\n')).not.toContain(secret)
  })

  test('Whoever may add posts can answer the mail where the collection takes mail', async ({ w }) => {
    await w.sql`insert into mail_addresses (collection_id, secret) values (${w.collection.id}, ${newId()})`
    const [address] = await w.sql`select secret from mail_addresses where collection_id = ${w.collection.id}`
    await subscribe(w, 'bob')
    await subscribe(w, 'wes')
    await post(w, 'ada')
    await sendDue(w)
    const [toWes, toBob] = [await mailTo(w.as('wes').email, NEWS), await mailTo(w.as('bob').email, NEWS)]
    expect(toWes.replyTo).toBe(`${address?.secret}@in.cairn.example`)
    expect(toWes.text).toContain('Answer this mail to add a post')
    expect([toBob.replyTo, toBob.text.includes('Answer this mail')]).toEqual([undefined, false])
  })

  test.for([
    'Kyoto\r\nBcc: eve@evil.example',
    '=?utf-8?Q?=0D=0ABcc:eve?=',
    '\u202Eotoyk 🏔️ <img src=x onerror=alert(1)>',
    'https://evil.example/win',
  ])('The name %j writes no header field and no markup', async (name, { w }) => {
    await w.sql`update collections set name = ${name} where id = ${w.collection.id}`
    await w.sql`update users set first_name = ${name.slice(0, 90)}, last_name = '' where id = ${w.as('ada').id}`
    await subscribe(w, 'bob')
    await post(w, 'ada', { title: 'x' })
    await sendDue(w)
    const mail = await mailTo(w.as('bob').email, NEWS)
    expect([mail.subject, ...Object.values(mail.headers ?? {})].join('')).not.toMatch(/[\p{Cc}\u202E]|=\?/u)
    expect(mail.html).not.toMatch(/<img|\u202E|evil\.example/)
    expect(mail.text).not.toMatch(/\u202E|evil\.example/)
  })
})

describe('the end of a mail', () => {
  const endOf = (mail: Mail) => mail.headers?.['List-Unsubscribe']?.slice(1, -1) ?? ''
  /** As a mail program: without cookies and an Origin. */
  const oneClick = (url: string, body: BodyInit = 'List-Unsubscribe=One-Click') =>
    fetch(url, { method: 'POST', body, headers: typeof body === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {} })

  test('A mail program ends it by a POST; looking at the address does nothing', async ({ w }) => {
    await subscribe(w, 'bob')
    await subscribe(w, 'wes')
    await post(w, 'ada')
    await sendDue(w)
    const url = endOf(await mailTo(w.as('bob').email, NEWS))
    const readers = async () =>
      (await w.sql`select user_id from weekly_mails where collection_id = ${w.collection.id}`).map(({ user_id }) => user_id)
    for (const method of ['GET', 'HEAD']) expect((await fetch(url, { method })).status).toBe(200)
    expect((await oneClick(url, 'nothing=1')).status).toBe(400)
    expect(await readers()).toHaveLength(2)
    const first = await oneClick(url)
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(await readers()).toEqual([w.as('wes').id])
    // Once more, and as the other kind of form.
    const form = new FormData()
    form.set('List-Unsubscribe', 'One-Click')
    expect(await (await oneClick(url, form)).text()).toBe(await first.text())
    expect((await w.as('bob').get(`/api/collections/${w.collection.id}/notices`)).body.notices.weekly).toBe(false)
  })

  test('A token that is forged, or whose key was removed, ends nothing, and no page says that the mail has ended', async ({ w }) => {
    await subscribe(w, 'bob')
    const [row] = await w.sql`select id from weekly_mails where collection_id = ${w.collection.id}`
    const env = { SESSION_KEYS: `x:${btoa('a'.repeat(32))}` }
    const real = { SESSION_KEYS: inject('stack').sessionKeys }
    const forged = [
      await sealMailToken(env, 'end', { endsWeekly: row?.id }),
      await sealMailToken(real, 'back', { back: { link: row?.id, guest: row?.id, access: row?.id } }),
      'nothing',
    ]
    for (const token of forged) expect((await oneClick(`${w.origin}/s/weekly/end/${token}`)).status).toBe(410)
    expect(await w.sql`select from weekly_mails where collection_id = ${w.collection.id}`).toHaveLength(1)
    // Nothing else is open to calls without an Origin.
    expect((await oneClick(`${w.origin}/s/weekly/confirm/${forged[0]}`)).status).toBe(403)
    expect((await oneClick(`${w.origin}/s/weekly/end/${forged[0]}/more`)).status).toBe(403)
  })
})

describe('guests', () => {
  const CONFIRM = 'Confirm your weekly mail'
  const textOf = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString()
  const freshEmail = () => `gina-${crypto.randomUUID()}@example.org`
  type Guest = Awaited<ReturnType<typeof guestOf>>
  const pageOf = (guest: Guest) => `/s/${secretOf(guest.made.url)}`
  const give = (guest: Guest, email: string) => {
    const form = new FormData()
    form.set('email', email)
    return guest.post(`${pageOf(guest)}/weekly`, form)
  }
  const confirmPath = async (email: string) => new URL((await mailTo(email, CONFIRM)).link ?? '').pathname
  const mailed = (w: World) =>
    w.sql`select g.email::text from weekly_mails m join guests g on g.id = m.guest_id where m.collection_id = ${w.collection.id}`
  async function begin(guest: Guest, email: string) {
    expect((await give(guest, email)).status).toBe(303)
    const confirmed = await new Client(guest.origin).post(await confirmPath(email), new FormData())
    expect(confirmed.status, textOf(confirmed)).toBe(200)
    return textOf(confirmed)
  }

  test('A guest gives an address, confirms it by a button, gets the mail and ends it on the page', async ({ w }) => {
    const guest = await guestOf(w.as('ada'), w.collection.id)
    const email = freshEmail()
    expect(textOf(await guest.get(pageOf(guest)))).toContain('Get a weekly mail')
    const given = await give(guest, email)
    expect([given.status, given.headers.get('location')]).toEqual([303, `${pageOf(guest)}?weekly=asked#weekly`])
    const path = await confirmPath(email)
    // Programs that check mails open every address.
    for (let i = 0; i < 2; i++) expect(textOf(await new Client(w.origin).get(path))).toContain('Confirm')
    expect(await mailed(w)).toEqual([])
    expect(await w.sql`select from guests where email = ${email}`).toEqual([])
    for (let i = 0; i < 2; i++) expect(textOf(await new Client(w.origin).post(path, new FormData()))).toContain('Your weekly mail is on')
    expect(await mailed(w)).toEqual([{ email }])
    await post(w, 'ada')
    await sendDue(w)
    expect((await mailTo(email, NEWS)).text).toContain('First snow')
    expect(textOf(await guest.get(pageOf(guest)))).toContain('End weekly mail')
    // The owner sees the guest, and not the address.
    const links = await w.as('ada').get(`/api/collections/${w.collection.id}/links`)
    expect(JSON.stringify(links.body)).not.toContain(email)
    expect((await guest.post(`${pageOf(guest)}/weekly-end`, new FormData())).status).toBe(303)
    expect([await mailed(w), await w.sql`select from guests where email = ${email}`]).toEqual([[], []])
  })

  test('Who comes back by a mail to somebody else cannot claim what its guest wrote; its reader can', async ({ w }) => {
    const guest = await guestOf(w.as('ada'), w.collection.id, { allows: 'answer' }, { name: 'Gina' })
    const { id } = await post(w, 'ada')
    await guest.post(`/api/post/${id}/comments`, { collection_id: w.collection.id, text: 'Mine' })
    const [reader, stranger] = [await register('eve'), await register('stranger')]
    // Their addresses have been confirmed since they registered.
    for (const who of [reader, stranger])
      expect((await who.post('/api/auth/sign-in', { email: who.email, password: PASSWORD })).status).toBe(200)
    await begin(guest, reader.email)
    await post(w, 'wes')
    await sendDue(w)
    const { pathname } = new URL((await mailTo(reader.email, NEWS)).link ?? '')
    for (const [who, comments] of [
      [stranger, 0],
      [reader, 1],
    ] as const) {
      expect((await who.get(pathname)).status).toBe(303)
      // Entering once more, and an address of their own for the mail, change nothing about that.
      expect((await who.post(`/s/${guest.link}`, new FormData())).status).toBe(303)
      expect((await who.post(`/api/links/${guest.link}/enter`, {})).status).toBe(200)
      if (who === stranger) await w.sql`update guests set email = ${stranger.email} where id = ${guest.guest.id}`
      expect(textOf(await who.get(`/s/${guest.link}`)).includes('Make it mine')).toBe(comments > 0)
      expect((await who.post('/api/links/claim')).body).toMatchObject({ comments })
    }
  })

  test('The mail shows what the link shows, and its links lead the guest back in one click', async ({ w }) => {
    const filters = { contentTypes: ['post' as const], postTypes: [], eventTypes: [], noteTypes: [], people: [] }
    const guest = await guestOf(w.as('ada'), w.collection.id, { kind: 'filter', filters, name: 'Our posts' }, { name: 'Gina' })
    const email = freshEmail()
    await begin(guest, email)
    await uploadPicture(w.as('ada'), 'bowls-of-spices', 640, { collectionIds: [w.collection.id], name: 'Secret spices.jpg' })
    const { id } = await post(w, 'ada')
    const views = () => w.sql`select * from link_views where link_id = ${guest.link}`
    await w.sql`update guests set seen_at = now() - interval '2 days' where id = ${guest.guest.id}`
    const before = await views()
    await sendDue(w)
    const mail = await mailTo(email, NEWS)
    expect(await views()).toEqual(before)
    expect(mail.subject).toBe('What is new in “Our posts”')
    expect(mail.text).toContain('Ada Test added 1 post to')
    expect([whole(mail), mail.attachments]).toEqual([expect.not.stringContaining('Secret spices'), []])
    expect(whole(mail)).not.toContain('Kyoto')
    const elsewhere = new Client(w.origin)
    const back = await elsewhere.get(new URL(mail.link ?? '').pathname)
    expect([back.status, back.headers.get('location')]).toEqual([303, `/s/${guest.link}`])
    const page = textOf(await elsewhere.get(`/s/${guest.link}`))
    expect(page).toContain('First snow')
    expect(page).toContain('End weekly mail')
    expect((await elsewhere.get(`${new URL(mail.link ?? '').pathname}?to=post/${id}`)).headers.get('location')).toBe(
      `/s/${guest.link}/post/${id}`,
    )
    expect(textOf(await elsewhere.get(`/s/${guest.link}/post/${id}`))).toContain('It snows')
    expect((await elsewhere.get(`${new URL(mail.link ?? '').pathname}?to=//evil.example`)).headers.get('location')).toBe(`/s/${guest.link}`)
    // The id of the link alone opens nothing.
    expect((await new Client(w.origin).get(`/s/${guest.link}`)).status).toBe(404)
    // No guest has been added.
    expect(await w.sql`select from guests where link_id = ${guest.link}`).toHaveLength(1)
  })

  test('Who is a guest of the link in this browser already stays who they are', async ({ w }) => {
    const gina = await guestOf(w.as('ada'), w.collection.id)
    const other = await guestOf(w.as('ada'), w.collection.id, {}, {}, gina.made)
    const email = freshEmail()
    await begin(gina, email)
    await post(w, 'ada')
    await sendDue(w)
    const cookie = other.cookieHeader()
    expect((await other.get(new URL((await mailTo(email, NEWS)).link ?? '').pathname)).status).toBe(303)
    expect(other.cookieHeader()).toBe(cookie)
  })

  test.for([
    [
      'has another password',
      (w: World, g: GuestClient) =>
        w.as('ada').patch(`/api/collections/${w.collection.id}/links/${g.link}`, { password: 'three white swans' }),
    ],
    ['has ended', (w: World, g: GuestClient) => w.as('ada').delete(`/api/collections/${w.collection.id}/links/${g.link}`)],
    ['does not know the guest', (w: World, g: GuestClient) => w.sql`delete from guests where id = ${g.guest.id}`],
  ] as const)('Once the link %s, there are no mails, and those sent before let nobody in', async ([, change], { w }) => {
    const guest = await guestOf(w.as('ada'), w.collection.id, { password: 'two white swans' })
    const email = freshEmail()
    await begin(guest, email)
    await post(w, 'ada')
    await sendDue(w)
    const link = new URL((await mailTo(email, NEWS)).link ?? '').pathname
    const elsewhere = new Client(w.origin)
    expect((await elsewhere.get(link)).status).toBe(303)
    const changed = await change(w, guest)
    if ('status' in changed) expect(changed.status).toBe(200)
    const refused = await new Client(w.origin).get(link)
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([410, []])
    expect([404, 410]).toContain((await elsewhere.get(`/s/${guest.link}`)).status)
    await post(w, 'ada', { title: 'Second snow' })
    await sendDue(w)
    expect(await news(email)).toHaveLength(1)
  })

  test('A confirmation that is forged, too old or for a link that has ended confirms nothing', async ({ w }) => {
    const guest = await guestOf(w.as('ada'), w.collection.id)
    const [row] = await w.sql`select access from guests where id = ${guest.guest.id}`
    const env = { SESSION_KEYS: inject('stack').sessionKeys }
    const confirms = { guest: guest.guest.id, access: row?.access, email: freshEmail(), zone: null, until: Date.now() - 1 }
    const old = await sealMailToken(env, 'confirm', { confirms })
    const valid = await sealMailToken(env, 'confirm', { confirms: { ...confirms, until: Date.now() + 60_000 } })
    const other = await sealMailToken(env, 'end', { endsWeekly: guest.guest.id })
    const statuses = async (token: string) => {
      const client = new Client(w.origin)
      return [
        (await client.get(`/s/weekly/confirm/${token}`)).status,
        (await client.post(`/s/weekly/confirm/${token}`, new FormData())).status,
      ]
    }
    expect(await statuses(old)).toEqual([410, 410])
    expect(await statuses(other)).toEqual([404, 404])
    expect(await statuses(`${valid}x`)).toEqual([404, 404])
    await w.as('ada').delete(`/api/collections/${w.collection.id}/links/${guest.link}`)
    expect(await statuses(valid)).toEqual([200, 410])
    expect(await mailed(w)).toEqual([])
  })

  test('An address gets a few such mails a day, and the page answers the same', async ({ w }) => {
    const guest = await guestOf(w.as('ada'), w.collection.id)
    const [often, invalid] = [freshEmail(), 'gina@']
    const key = await attemptKey('weeklyMailTo', `email:${often}`)
    // The tests' stack allows a thousand times as many.
    await w.sql`insert into rate_limits (key, tries, resets_at) values (${key}, ${ATTEMPTS.weeklyMailTo.perEmail * 1000}, now() + interval '5 minutes')`
    const answer = await give(guest, often)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${pageOf(guest)}?weekly=asked#weekly`])
    const refused = await give(guest, invalid)
    expect([refused.status, textOf(refused)]).toEqual([400, expect.stringContaining('does not look like an e-mail address')])
    const later = freshEmail()
    await give(guest, later)
    await mailTo(later, CONFIRM)
    expect(await mailsTo(often)).toEqual([])
    const guests = await attemptKey('weeklyMail', `user:${guest.guest.id}`)
    await w.sql`update rate_limits set tries = ${ATTEMPTS.weeklyMail.perUser * 1000} where key = ${guests}`
    expect((await give(guest, freshEmail())).status).toBe(429)
  })

  test('Guests who may add can answer the mail with photos, and read whether an admin looks at them first', async ({ w }) => {
    await w.sql`insert into mail_addresses (collection_id, secret) values (${w.collection.id}, ${newId()})`
    const mailOf = async (link: Partial<NewLink>) => {
      const [guest, email] = [await guestOf(w.as('ada'), w.collection.id, link), freshEmail()]
      await begin(guest, email)
      return () => mailTo(email, NEWS)
    }
    const asked = [await mailOf({ allows: 'add', approve: false }), await mailOf({ allows: 'add', approve: true }), await mailOf({})]
    await post(w, 'ada')
    await sendDue(w)
    const [adds, waits, looks] = await Promise.all(asked.map((mail) => mail()))
    const told = (mail: Mail | undefined) =>
      ['Answer this mail with photos or videos to add them.', 'An admin looks at them before others see them.', 'add a post'].map(
        (words) => mail?.text.includes(words) && mail.html?.includes(words),
      )
    expect([adds, waits, looks].map(told)).toEqual([
      [true, false, false],
      [true, true, false],
      [false, false, false],
    ])
    for (const mail of [adds, waits]) expect(mail?.replyTo).toMatch(/@in\.cairn\.example$/)
    expect(looks?.replyTo).toBeUndefined()
  })

  test.for([
    { answers: 'read', invited: { bob: true, wes: true, looks: false, answers: true } },
    { answers: 'write', invited: { bob: false, wes: true, looks: false, answers: false } },
    { answers: null, invited: { bob: false, wes: false, looks: false, answers: false } },
  ] as const)('Where $answers may comment, the mail invites only them to answer', async ({ answers, invited }, { w }) => {
    expect((await w.as('ada').put(`/api/collections/${w.collection.id}`, { answers })).status).toBe(200)
    await subscribe(w, 'bob')
    await subscribe(w, 'wes')
    const addressOf = async (link: Partial<NewLink>) => {
      const [guest, email] = [await guestOf(w.as('ada'), w.collection.id, link), freshEmail()]
      await begin(guest, email)
      return email
    }
    const to = {
      bob: w.as('bob').email,
      wes: w.as('wes').email,
      looks: await addressOf({ allows: 'look' }),
      answers: await addressOf({ allows: 'answer' }),
    }
    await post(w, 'ada')
    await sendDue(w)
    for (const [who, email] of Object.entries(to)) {
      const { text, html } = await mailTo(email, NEWS)
      expect([who, text.includes('To see it and to answer, open:'), html?.includes('Open and answer')]).toEqual([
        who,
        ...Array(2).fill(invited[who as keyof typeof invited]),
      ])
    }
  })
})

test.for([
  // Summer time begins on 29 March 2026 and ends on 25 October 2026 in Vienna.
  ['Europe/Vienna', '2026-03-25T12:00:00Z', '2026-03-30T06:00:00Z'],
  ['Europe/Vienna', '2026-10-20T12:00:00Z', '2026-10-26T07:00:00Z'],
  ['Europe/Vienna', '2026-11-02T06:59:00Z', '2026-11-02T07:00:00Z'],
  ['Europe/Vienna', '2026-11-02T07:00:00Z', '2026-11-09T07:00:00Z'],
  ['Pacific/Auckland', '2026-11-01T18:00:00Z', '2026-11-01T19:00:00Z'],
  ['+05:30', '2026-11-01T12:00:00Z', '2026-11-02T02:30:00Z'],
  ['Nowhere/Town', '2026-11-01T12:00:00Z', '2026-11-02T08:00:00Z'],
  [null, '2026-11-01T12:00:00Z', '2026-11-02T08:00:00Z'],
])('In the zone %s, the next mail after %s is due at %s', async ([zone, from, due], { w }) => {
  const [row] = await w.sql`select next_monday(${zone}, ${from}::timestamptz) as due`
  expect(new Date(row?.due).toISOString()).toBe(new Date(due ?? '').toISOString())
})
