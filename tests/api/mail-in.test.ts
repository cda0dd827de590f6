import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test as base, describe, expect } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { attemptKey } from '../../worker/services/accounts/limit-attempts.ts'
import { jpegLike, MIB, noise } from '../support/files.ts'
import { type GuestClient, guestOf } from '../support/guests.ts'
import { deliver, deliverLong, type MailOptions, type MailPart, mailOf, passing, send } from '../support/mail-in.ts'
import { readByServer } from '../support/missing-renditions.ts'
import { keysUnder } from '../support/storage.ts'
import { type World, world } from '../support/world.ts'

/** Mails to the secret address of a collection become posts. */

const test = base
  .extend('w', () => world({ amy: 'admin', wes: 'write', rita: 'read', mallory: null }))
  /** The address, with the confirmed addresses of the members noted. */
  .extend('to', async ({ w }) => {
    const { body } = await w.as('amy').put(addressOf(w))
    for (const name of ['ada', 'amy', 'wes']) await w.as(name).get(addressOf(w))
    return body.address as string
  })

const addressOf = (w: World) => `/api/collections/${w.collection.id}/mail`
const postsIn = async (w: World) => (await w.as('rita').get(`/api/post?collection_id=${w.collection.id}`)).body.posts
const jpeg = (name = 'snow.jpg', bytes: Uint8Array = jpegLike()): MailPart => ({ type: 'image/jpeg', name, bytes })
const writing = (w: World, to: string, mail: Partial<MailOptions> = {}) => ({ from: w.as('wes').email, to, text: 'It is white.', ...mail })

/** Files of a person, with those in the trash and unfinished ones. */
const filesOf = async (w: World, who: string) => (await w.sql`select id from assets where user_id = ${who}`).map(({ id }) => id as string)

async function expectNothing(w: World) {
  expect(await postsIn(w)).toEqual([])
  for (const name of ['wes', 'mallory', 'rita']) expect(await filesOf(w, w.as(name).id), name).toEqual([])
}

describe('what is added', () => {
  test('A mail of a writer becomes a post with its photos, in order', async ({ w, to }) => {
    const text = 'It is white.\r\n\r\nAll of it <b>.\r\nReally.'
    expect(await send(writing(w, to, { subject: 'First snow', text, parts: [jpeg('b.jpg'), jpeg('a.jpg')] }))).toBeNull()
    expect(await postsIn(w)).toMatchObject([
      {
        ...{
          type: 'note',
          title: 'First snow',
          body: '<p>It is white.</p><p>All of it &lt;b&gt;.<br>Really.</p>',
          user_id: w.as('wes').id,
        },
        assets: [
          { name: 'b.jpg', type: 'image/jpeg' },
          { name: 'a.jpg', type: 'image/jpeg' },
        ],
      },
    ])
    const { assets } = (await w.as('rita').get(`/api/asset?collection_id=${w.collection.id}`)).body
    expect(assets).toHaveLength(2)
  })

  test('A file that is too large for one part is stored whole', async ({ w, to }) => {
    const large = noise(LIMITS.partSize + MIB)
    expect(await send(writing(w, to, { parts: [{ type: 'video/mp4', name: 'swing.mp4', bytes: large }] }))).toBeNull()
    const [post] = await postsIn(w)
    const { bytes } = await w.as('rita').get(`/api/asset/${post.assets[0].id}/file`)
    expect(Buffer.compare(bytes, large)).toBe(0)
  })

  test.for([
    ['Re: Fwd: Snow', 'Snow'],
    ['AW: WG: Snow', 'Snow'],
    ['=?utf-8?B?8J+PlO+4jyDXqdec15I=?= =?utf-8?Q?_=C3=BCber?=', '🏔️ שלג über'],
    ['=?iso-8859-1?Q?Gr=FC=DFe?=', 'Grüße'],
    ['=?utf-8?Q?a=00b=0D=0ABcc:_x=1B?=', 'ab Bcc: x'],
    [`Long ${'x'.repeat(300)}`, `Long ${'x'.repeat(194)}…`],
  ] as const)('The subject %s is the title %s', async ([subject, title], { w, to }) => {
    expect(await send(writing(w, to, { subject }))).toBeNull()
    expect((await postsIn(w)).map((post: { title: string }) => post.title)).toEqual([title])
  })

  test('Without a subject, the first line is the title, and a photo alone is called Photos', async ({ w, to }) => {
    expect(await send(writing(w, to, { subject: '', text: 'A walk\r\n\r\nIn the snow.' }))).toBeNull()
    expect(await send(writing(w, to, { subject: 'Re:', text: '', parts: [jpeg()] }))).toBeNull()
    expect((await postsIn(w)).map(({ title, body }: { title: string; body: string }) => [title, body]).toSorted()).toEqual([
      ['A walk', '<p>In the snow.</p>'],
      ['Photos', ''],
    ])
  })

  test('A post has the time and the zone of its mail, or the present time where that is far off', async ({ w, to }) => {
    const at = new Date(Date.now() - 3_600_000)
    const local = `${new Date(at.getTime() + 2 * 3_600_000).toUTCString().replace('GMT', '+0200')}`
    await send(writing(w, to, { subject: 'near', headers: { Date: local } }))
    await send(writing(w, to, { subject: 'far', headers: { Date: 'Mon, 01 Jan 2096 10:00:00 +0000' } }))
    await send(writing(w, to, { subject: 'none', headers: { Date: 'yesterday' } }))
    const byTitle = Object.fromEntries((await postsIn(w)).map((post: { title: string }) => [post.title, post]))
    expect(byTitle.near).toMatchObject({ date_zone: '+02:00', date_precision: 'minute' })
    expect(Math.abs(Date.parse(byTitle.near.date) - at.getTime())).toBeLessThan(60_000)
    for (const title of ['far', 'none']) expect(Date.now() - Date.parse(byTitle[title].date)).toBeLessThan(120_000)
  })

  test('The text of a mail that is HTML alone is sanitised', async ({ w, to }) => {
    const html =
      '<html><head><title>x</title><style>p{}</style></head><body><p onclick="a()">It is <b>white</b>.</p>\r\n<script>alert(1)</script><img src="https://t.example/x.gif"></body></html>'
    expect(await send({ from: w.as('wes').email, to, html })).toBeNull()
    expect((await postsIn(w))[0].body.trim()).toBe('<p>It is <b>white</b>.</p>')
  })

  test('An answer is added without what it quotes and without a signature, and with the pictures of its own part alone', async ({
    w,
    to,
  }) => {
    const text =
      'Here it is:\r\n\r\nhigh and white.\r\n[image: own.jpg]\r\n-- \r\nWes\r\n\r\nOn Sat, 28 Nov 2026 at 10:00 Cairn\r\n<cairn@example.org> wrote:\r\n> New this week\r\n>\r\n> more\r\n'
    const html = '<div>high <img src="cid:own"></div><div class="gmail_quote">New <img src="cid:old"></div>'
    const parts = [
      { ...jpeg('own.jpg'), cid: 'own', disposition: 'inline' as const },
      { ...jpeg('old.jpg'), cid: 'old', disposition: 'inline' as const },
      jpeg('attached.jpg'),
    ]
    expect(await send(writing(w, to, { subject: 'Re: This week', text, html, parts, headers: { 'In-Reply-To': '<a@b>' } }))).toBeNull()
    const [post] = await postsIn(w)
    expect(post).toMatchObject({ title: 'This week', body: '<p>Here it is:</p><p>high and white.</p>' })
    expect(post.assets.map(({ name }: { name: string }) => name)).toEqual(['own.jpg', 'attached.jpg'])
  })

  test.for([
    ['What is new in “Kyoto”', '--- Write above this line to answer ---'],
    ['Neues in „Kyoto“', '--- Schreib deine Antwort über diese Zeile ---'],
    ['Les nouveautés dans « Kyoto »', '--- Écrivez au-dessus de cette ligne pour répondre ---'],
  ] as const)('An answer to the weekly mail “%s” is called by its first line', async ([subject, mark], { w, to }) => {
    const text = `Lovely!\r\n\r\nThe swing.\r\n\r\nOn Mon, Nov 30, 2026 at 8:00 AM Cairn\r\n<cairn@example.org> wrote:\r\n\r\n> ${mark}\r\n>\r\n> News\r\n`
    const encoded = `=?utf-8?B?${Buffer.from(`Re: ${subject}`).toString('base64')}?=`
    expect(await send(writing(w, to, { subject: encoded, text, headers: { 'In-Reply-To': '<a@b>' } }))).toBeNull()
    expect(await postsIn(w)).toMatchObject([{ title: 'Lovely!', body: '<p>The swing.</p>' }])
  })

  test('A mail that is passed on keeps what it quotes', async ({ w, to }) => {
    const text = 'See below\r\n\r\n---------- Forwarded message ---------\r\nFrom: Oma <oma@example.net>\r\n\r\n> The garden'
    expect(await send(writing(w, to, { subject: 'Fwd: Garden', text, headers: { References: '<a@b>' } }))).toBeNull()
    expect((await postsIn(w))[0].body).toContain('&gt; The garden')
  })

  test('A mail that Outlook passes on in Portuguese keeps the text and the photos of the mail within', async ({ w, to }) => {
    const text = 'Vejam\r\n\r\n________________________________\r\nDe: Oma <oma@example.net>\r\nEnviado: hoje\r\n\r\nO jardim [cid:p1]'
    const html = '<div>Vejam</div><div id="appendonsend"></div><div id="divRplyFwdMsg">De: Oma</div>O jardim <img src="cid:p1">'
    const parts = [{ ...jpeg('jardim.jpg'), cid: 'p1', disposition: 'inline' as const }]
    expect(await send(writing(w, to, { subject: 'ENC: Fotos', text, html, parts, headers: { 'In-Reply-To': '<a@b>' } }))).toBeNull()
    const [post] = await postsIn(w)
    expect([post.title, post.assets.length]).toEqual(['Fotos', 1])
    expect(post.body).toContain('O jardim')
  })

  test('A mail that is HTML alone, with much markup and no subject, is called by its text, and a photo of no named type is one', async ({
    w,
    to,
  }) => {
    const people = { from: w.as('wes').email, to, subject: '' }
    const spans = '<span style="font-family:Calibri,sans-serif;color:black">word </span>'.repeat(2_000)
    expect(await send({ ...people, html: `<p>Hello <b>all</b></p><p>${spans}</p>` })).toBeNull()
    expect(await send({ ...people, text: '', parts: [{ ...jpeg('IMG.JPG'), type: 'application/octet-stream' }] })).toBeNull()
    expect((await postsIn(w)).map(({ title }: { title: string }) => title).toSorted()).toEqual(['Hello all', 'Photos'])
  })

  test('Calendar parts, signatures, winmail.dat and empty files are left out, and the rest is added', async ({ w, to }) => {
    const parts: MailPart[] = [
      { type: 'text/calendar; method=REQUEST', bytes: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR' },
      { type: 'application/ms-tnef', name: 'winmail.dat', bytes: Buffer.from([0x78, 0x9f, 0x3e, 0x22]) },
      { type: 'application/octet-stream', name: 'WINMAIL.DAT', bytes: 'x' },
      { type: 'application/pgp-signature', name: 'signature.asc', bytes: 'x' },
      { type: 'application/pkcs7-signature', name: 'smime.p7s', bytes: 'x' },
      jpeg('empty.jpg', new Uint8Array()),
      jpeg('real.jpg'),
    ]
    expect(await send(writing(w, to, { parts }))).toBeNull()
    expect((await postsIn(w))[0].assets).toMatchObject([{ name: 'real.jpg' }])
  })

  test('A mail within the mail is a file, and what it contains stays in it', async ({ w, to }) => {
    const inner = mailOf({ from: 'oma@example.net', to: 'x@example.net', text: 'Inner', parts: [jpeg('inner.jpg')], results: [] })
    const nested = { type: 'message/rfc822', bytes: inner }
    expect(await send(writing(w, to, { parts: [nested] }))).toBeNull()
    const [post] = await postsIn(w)
    expect([post.body, post.assets.length, post.assets[0].name]).toEqual(['<p>It is white.</p>', 1, 'mail-1.eml'])
  })

  test('HTML that is named as a photo is no photo, and names have no folders', async ({ w, to }) => {
    const parts = [
      jpeg('evil.jpg', Buffer.from('<!doctype html><script>alert(1)</script>')),
      jpeg('../../etc/pass.jpg'),
      jpeg(`${'n'.repeat(300)}.jpg`),
    ]
    expect(await send(writing(w, to, { parts }))).toBeNull()
    const [{ assets }] = await postsIn(w)
    expect(assets[0].type).not.toMatch(/^image/)
    expect(assets[1].name).toBe('pass.jpg')
    expect(assets[2].name).toMatch(/^n{250}….jpg$/)
    const { headers } = await w.as('wes').get(`/api/asset/${assets[0].id}/file`)
    expect(headers.get('content-disposition')).toMatch(/^attachment/)
  })

  test('A mail that arrives twice is added once, also at the same time, without a Message-ID, and after its post was thrown away', async ({
    w,
    to,
  }) => {
    for (const headers of [{}, { 'Message-ID': null }]) {
      const mail = mailOf(writing(w, to, { parts: [jpeg()], headers }))
      const path = { from: w.as('wes').email, to }
      expect(await Promise.all([deliver(path, mail), deliver(path, mail)])).toEqual([null, null])
      const [post, ...more] = await postsIn(w)
      expect([more, post.assets.length, (await filesOf(w, w.as('wes').id)).length]).toEqual([[], 1, 1])
      await w.as('wes').delete(`/api/post/${post.id}`)
      await w.as('wes').delete(`/api/asset/${post.assets[0].id}`)
      expect(await deliver(path, mail)).toBeNull()
      expect(await postsIn(w)).toEqual([])
      await w.sql`delete from assets where user_id = ${w.as('wes').id}`
    }
  })

  test('The same photo twice in a mail, and one that its sender has added before, is one photo', async ({ w, to }) => {
    const photo = jpegLike()
    await send(writing(w, to, { subject: 'one', parts: [jpeg('a.jpg', photo), jpeg('b.jpg', photo)] }))
    await send(writing(w, to, { subject: 'two', parts: [jpeg('c.jpg', photo)] }))
    expect(await filesOf(w, w.as('wes').id)).toHaveLength(1)
    expect((await postsIn(w)).map((post: { assets: unknown[] }) => post.assets.length)).toEqual([1, 1])
  })
})

describe('who may write', () => {
  const EVE = 'eve@evil.example'
  const failing = (domain: string) =>
    `Authentication-Results: mx.cloudflare.net; dkim=fail header.d=${domain}; dmarc=fail header.from=${domain} policy.dmarc=none; spf=fail smtp.mailfrom=x@${domain}`
  const UNPROVEN = /^Nothing proves that this mail is from/

  test.for<[string, (wes: string, to: string) => Partial<MailOptions> & { envelope?: string }, RegExp]>([
    ['with a forged From', () => ({ results: [passing(EVE)], envelope: EVE }), UNPROVEN],
    ['with a failing DKIM', () => ({ results: [failing('example.org')] }), UNPROVEN],
    ['with no result at all', () => ({ results: [] }), UNPROVEN],
    [
      'with the results of another server',
      (wes) => ({ results: [passing(wes).replace('mx.cloudflare.net', 'mx.evil.example')] }),
      UNPROVEN,
    ],
    ['with a forged result below', (wes) => ({ results: [failing('example.org'), passing(wes)] }), UNPROVEN],
    ['with a forged result above', (wes) => ({ results: [passing(wes), failing('example.org')] }), UNPROVEN],
    ['with a result in ARC alone', (wes) => ({ results: [passing(wes).replace('Authentication', 'ARC-Authentication')] }), UNPROVEN],
    ['with a result in a comment', () => ({ results: [`${failing('example.org')} (; dmarc=pass header.from=example.org)`] }), UNPROVEN],
    ['from below the proven domain', (wes) => ({ headers: { From: wes.replace('@', '@mail.') }, results: [passing(wes)] }), UNPROVEN],
    ['with an address that breaks the header', () => ({ envelope: `"a) ; dmarc=pass header.from=example.org ("@evil.example` }), UNPROVEN],
    ['with two From headers', (wes) => ({ results: [passing(wes), `From: ${EVE}`] }), /more than one/],
    ['with two addresses in From', (wes) => ({ headers: { From: `${EVE}, ${wes}` } }), /cannot be read/],
    ['without a From header', () => ({ headers: { From: null } }), /more than one/],
    ['with an address as the name', (wes) => ({ headers: { From: `${wes} <${EVE}>` }, results: [passing(EVE)] }), /cannot be read/],
    ['with an address as the quoted name', (wes) => ({ headers: { From: `"${wes}" <${EVE}>` }, results: [passing(EVE)] }), /takes no mail/],
    ['with an address as a comment', (wes) => ({ headers: { From: `${EVE} (${wes})` }, results: [passing(EVE)] }), /takes no mail/],
    ['that is an automatic answer', () => ({ headers: { 'Auto-Submitted': 'auto-replied' } }), /Automatic mails/],
    ['to many people', () => ({ headers: { Precedence: 'bulk' } }), /Automatic mails/],
    ['of a list', () => ({ headers: { 'List-Id': '<all.example.org>' } }), /Automatic mails/],
    ['about a vacation', () => ({ headers: { 'X-Autoreply': 'yes' } }), /Automatic mails/],
    ['that is a report of a server', () => ({ envelope: '<>' }), /Automatic mails/],
    ['from an address of the site', (_, to) => ({ envelope: to }), /Automatic mails/],
  ])('A mail %s is refused and leaves nothing', async ([_, mail, reason], { w, to }) => {
    const { envelope, ...options } = mail(w.as('wes').email, to)
    const message = mailOf(writing(w, to, { parts: [jpeg()], ...options }))
    expect(await deliver({ from: envelope ?? w.as('wes').email, to }, message)).toMatch(reason)
    await expectNothing(w)
  })

  test('A name, a comment and a folded line do not matter', async ({ w, to }) => {
    const { email } = w.as('wes')
    for (const From of [
      `"Wes, of \\"Test\\"" <${email}>`,
      `Wes\r\n\t<${email.toUpperCase()}>`,
      `=?utf-8?Q?W=C3=A9s?= (at home) <${email}>`,
    ])
      expect(await send(writing(w, to, { headers: { From } }))).toBeNull()
    expect(await postsIn(w)).toHaveLength(3)
  })

  test('Outside of the collection, an unknown address and a known one answer the same', async ({ w, to }) => {
    const { email } = w.as('mallory')
    const answers = [to, to.replace(/^.*@/, `${'a'.repeat(26)}@`), to.replace('in.', 'out.'), `x${to}`].map((address) =>
      send({ from: email, to: address, text: 'Hi' }),
    )
    const [first, ...others] = await Promise.all(answers)
    expect(first).toMatch(/^This address takes no mail from you/)
    expect(new Set(others)).toEqual(new Set([first]))
    await expectNothing(w)
  })

  test('A reader, a former member and somebody whose address is not confirmed are refused', async ({ w, to }) => {
    expect(await send({ ...writing(w, to), from: w.as('rita').email })).toBe(
      'You may look at this collection, but not add to it. Ask an admin for the role write',
    )
    await w.sql`update users set verified_email = null where id = ${w.as('wes').id}`
    expect(await send(writing(w, to))).toMatch(/Confirm the address in the app/)
    await w.as('wes').get(addressOf(w))
    await w.sql`delete from members where user_id = ${w.as('wes').id}`
    expect(await send(writing(w, to))).toMatch(/takes no mail from you/)
    await expectNothing(w)
  })

  test('An address that was confirmed before the account has another does not count', async ({ w, to }) => {
    const old = w.as('wes').email
    await w.sql`update users set email = ${`new-${old}`} where id = ${w.as('wes').id}`
    expect(await send(writing(w, to))).toMatch(/takes no mail from you/)
    expect(await send(writing(w, to, { from: `new-${old}` }))).toMatch(/Confirm the address/)
    await expectNothing(w)
  })

  test('A replaced address, one that is turned off, and that of a deleted collection take nothing', async ({ w, to }) => {
    const { address } = (await w.as('amy').put(addressOf(w))).body
    expect(await send(writing(w, to))).toMatch(/takes no mail/)
    expect(await send(writing(w, address.toUpperCase()))).toBeNull()
    await w.as('ada').delete(addressOf(w))
    expect(await send(writing(w, address))).toMatch(/takes no mail/)
    const again = (await w.as('ada').put(addressOf(w))).body.address
    expect((await w.as('ada').delete(`/api/collections/${w.collection.id}`)).status).toBe(200)
    expect(await send(writing(w, again))).toMatch(/takes no mail/)
  })
})

describe('what is refused', () => {
  test('A mail that says it has 200 MB is refused unread, and one that has them is not read to its end', async ({ w, to }) => {
    const people = { from: w.as('wes').email, to }
    const head = mailOf(writing(w, to))
    expect(await deliver(people, head, 200 * MIB)).toMatch(/at most 25 MiB/)
    const { rejected, read } = await deliverLong(people, head, { size: head.length, more: 200 })
    expect(rejected).toMatch(/at most 25 MiB/)
    expect(read).toBeGreaterThan(25 * MIB)
    expect(read).toBeLessThan(100 * MIB)
    await expectNothing(w)
  })

  test('A mail of just 25 MiB is read', async ({ w, to }) => {
    const head = mailOf(writing(w, to)).toString()
    const raw = Buffer.from(head.replace('--mixed-0001--', `${`--mixed-0001\r\nContent-Type: text/calendar\r\n\r\n`}${'x'.repeat(76)}`))
    const whole = Buffer.concat([raw, Buffer.from(`${'x'.repeat(76)}\r\n`.repeat(Math.floor((LIMITS.mailSize - raw.length) / 78)))])
    expect(await deliver({ from: w.as('wes').email, to }, whole)).toBeNull()
    expect(await postsIn(w)).toHaveLength(1)
  })

  test.for<[string, Partial<MailOptions>, RegExp]>([
    [
      '1,000 files',
      { parts: Array.from({ length: 1_000 }, (_, n) => jpeg(`${n}.jpg`, Buffer.from([n >> 8, n & 255]))) },
      /at most 50 files/,
    ],
    ['nothing in it', { text: ' \r\n', subject: 'Re:' }, /This mail is empty/],
    ['blank HTML', { text: ' ', html: '<html><body><div><br></div></body></html>', subject: '' }, /This mail is empty/],
    ['what it answers alone', { text: '> At noon?', subject: 'Re: Garden', headers: { 'In-Reply-To': '<a@b>' } }, /This mail is empty/],
    ['a text that is too long', { text: 'x '.repeat(60_000) }, /The text may have at most 100000 characters/],
    ['an encrypted part', { parts: [{ type: 'application/pkcs7-mime', name: 'smime.p7m', bytes: 'x' }] }, /encrypted/],
    ['parts within parts without end', { headers: { 'X-A': nestedParts(100) } }, /could not be read/],
  ])('A mail with %s is refused and leaves nothing', async ([_, mail, reason], { w, to }) => {
    expect(await send(writing(w, to, mail))).toMatch(reason)
    await expectNothing(w)
  })

  test.for(['account', 'collection'] as const)('A mail that does not fit the %s is refused whole', async (full, { w, to }) => {
    const owner = full === 'account' ? w.as('wes').id : w.collection.id
    await w.sql`insert into quotas (owner, bytes, items) values (${owner}, 5000, 100)`
    const parts = [jpeg('a.jpg'), jpeg('b.jpg'), jpeg('c.jpg')]
    expect(await send(writing(w, to, { parts }))).toMatch(/^This does not fit: ["y]/)
    await expectNothing(w)
    await w.sql`delete from quotas where owner = ${owner}`
    expect((await w.as('wes').get('/api/usage')).body.usage).toMatchObject({ bytes: 0, items: 0 })
  })

  test('A person who has sent many mails within the hour is told to wait', async ({ w, to }) => {
    const key = await attemptKey('mailIn', `user:${w.as('wes').id}`)
    await w.sql`insert into rate_limits (key, tries, resets_at) values (${key}, 1000000000, now() + interval '1 hour')`
    expect(await send(writing(w, to))).toMatch(/^Too many mails for now. Try again in/)
    await expectNothing(w)
  })

  test('Files of a refused mail leave the storage, and the same mail is taken once there is room', async ({ w, to }) => {
    const before = new Set(await keysUnder('assets/'))
    await w.sql`insert into quotas (owner, bytes, items) values (${w.as('wes').id}, 3000, 100)`
    const mail = mailOf(writing(w, to, { parts: [jpeg('a.jpg'), jpeg('b.jpg')] }))
    const people = { from: w.as('wes').email, to }
    expect(await deliver(people, mail)).toMatch(/does not fit/)
    await w.sql`delete from quotas where owner = ${w.as('wes').id}`
    expect(await deliver(people, mail)).toBeNull()
    const [{ assets }] = await postsIn(w)
    const ids = assets.map(({ id }: { id: string }) => id)
    expect(assets).toHaveLength(2)
    expect((await filesOf(w, w.as('wes').id)).toSorted()).toEqual(ids.toSorted())
    expect((await keysUnder('assets/')).filter((key) => !before.has(key) && key.endsWith('/original')).length).toBeGreaterThanOrEqual(2)
  })
})

/** Header lines that begin parts within parts. */
function nestedParts(depth: number): string {
  const level = (n: number): string => `x\r\nContent-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\nY: `
  return `${Array.from({ length: depth }, (_, n) => level(n)).join('')}x\r\n\r\n`
}

describe('guests', () => {
  const OMA = 'oma@example.net'
  async function guestWithAddress(w: World, link: object = {}): Promise<GuestClient & { made: { id: string } }> {
    const guest = await guestOf(w.as('ada'), w.collection.id, { allows: 'add', ...link }, { name: 'Oma' })
    await w.sql`update guests set email = ${OMA} where id = ${guest.guest.id}`
    return guest
  }
  const waitingIn = async (w: World) => (await w.as('amy').get(`/api/collections/${w.collection.id}/contributions`)).body.contributions

  test('A film that is mailed has the date and place that it says, from a member and from a guest', async ({ w, to }) => {
    const film = await readFile(path.join(import.meta.dirname, '../fixtures/films/iphone.mov'))
    const parts = [{ type: 'video/quicktime', name: 'fog.mov', bytes: new Uint8Array(film) }]
    expect(await send(writing(w, to, { parts }))).toBeNull()
    const { guest } = await guestWithAddress(w, { approve: false })
    expect(await send(writing(w, to, { from: OMA, parts }))).toBeNull()
    for (const author of [w.as('wes').id, `guest:${guest.id}`]) {
      const [id = ''] = await filesOf(w, author)
      await readByServer(w, id)
      const { asset } = (await w.as('amy').get(`/api/asset/${id}`)).body
      expect(asset, author).toMatchObject({ date: '2020-12-19T23:14:27+00:00', location: { lat: 47.5, lon: 9.25 }, duration: 2 })
    }
  })

  test('Photos of a guest wait for an admin, described by the text, once', async ({ w, to }) => {
    const guest = await guestWithAddress(w)
    const mail = mailOf({
      from: OMA,
      to,
      subject: 'The swing',
      text: 'Is it not\r\nhigh?',
      parts: [jpeg('swing.jpg'), { type: 'text/plain', name: 'a.txt', bytes: 'x' }],
    })
    expect(await deliver({ from: OMA, to }, mail)).toBeNull()
    expect(await deliver({ from: OMA, to }, mail)).toBeNull()
    expect(await waitingIn(w)).toMatchObject([
      { asset: { name: 'swing.jpg', alt: 'The swing: Is it not high?', user_id: `guest:${guest.guest.id}` }, link: { id: guest.made.id } },
      { asset: { name: 'a.txt', alt: null } },
    ])
    expect(await postsIn(w)).toEqual([])
    const ids = (await waitingIn(w)).map(({ asset }: { asset: { id: string } }) => asset.id)
    await w.as('amy').post(`/api/collections/${w.collection.id}/contributions/decline`, { ids })
    expect(await deliver({ from: OMA, to }, mail)).toBeNull()
    expect(await waitingIn(w)).toEqual([])
  })

  test('Photos in an answer of a guest to the weekly mail are described by its text alone, also by that of HTML', async ({ w, to }) => {
    await guestWithAddress(w)
    const mail = { from: OMA, to, headers: { 'In-Reply-To': '<a@b>' }, parts: [jpeg('swing.jpg')] }
    const subject = `=?utf-8?B?${Buffer.from('Re: What is new in “Kyoto”').toString('base64')}?=`
    expect(await send({ ...mail, subject, html: '<p>Our <b>swing</b></p><div class="gmail_quote">News</div>' })).toBeNull()
    expect(await waitingIn(w)).toMatchObject([{ asset: { alt: 'Our swing' } }])
  })

  test('Without approval, they are in the collection at once', async ({ w, to }) => {
    await guestWithAddress(w, { approve: false })
    expect(await send({ from: OMA, to, parts: [jpeg('swing.jpg')] })).toBeNull()
    const { assets } = (await w.as('rita').get(`/api/asset?collection_id=${w.collection.id}`)).body
    expect(assets).toMatchObject([{ name: 'swing.jpg', user_name: 'Oma (guest)' }])
  })

  test('A mail without a file is refused, and so is one over a link that has ended or lets people look', async ({ w, to }) => {
    const guest = await guestWithAddress(w)
    expect(await send({ from: OMA, to, text: 'Hello' })).toMatch(/Guests add photos and files/)
    const link = `/api/collections/${w.collection.id}/links/${guest.made.id}`
    await w.as('ada').patch(link, { allows: 'look' })
    expect(await send({ from: OMA, to, parts: [jpeg()] })).toMatch(/takes no mail from you/)
    await w.as('ada').patch(link, { allows: 'add' })
    await w.as('ada').delete(link)
    expect(await send({ from: OMA, to, parts: [jpeg()] })).toMatch(/takes no mail from you/)
    expect(await filesOf(w, `guest:${guest.guest.id}`)).toEqual([])
  })

  test('A mail of a guest that does not fit leaves nothing, and is taken once there is room', async ({ w, to }) => {
    const guest = await guestWithAddress(w)
    await w.sql`insert into quotas (owner, bytes, items) values (${w.collection.id}, 3000, 100)`
    const mail = mailOf({ from: OMA, to, parts: [jpeg('a.jpg'), jpeg('b.jpg')] })
    expect(await deliver({ from: OMA, to }, mail)).toMatch(/does not fit/)
    expect([await waitingIn(w), await filesOf(w, `guest:${guest.guest.id}`)]).toEqual([[], []])
    await w.sql`delete from quotas where owner = ${w.collection.id}`
    expect(await deliver({ from: OMA, to }, mail)).toBeNull()
    expect(await waitingIn(w)).toHaveLength(2)
  })
})

test('The address is shown to those who may add, and made and removed by admins', async ({ w, to }) => {
  const seen = async (name: string) => (await w.as(name).get(addressOf(w))).body
  expect(await seen('wes')).toMatchObject({ mail: { available: true, address: to, sender: { email: w.as('wes').email, confirmed: true } } })
  expect(await seen('rita')).toMatchObject({ error: { code: 'forbidden' } })
  expect(await seen('mallory')).toMatchObject({ error: { code: 'not_found' } })
  for (const [name, status] of [
    ['wes', 403],
    ['rita', 403],
    ['mallory', 404],
  ] as const) {
    expect((await w.as(name).put(addressOf(w))).status, name).toBe(status)
    expect((await w.as(name).delete(addressOf(w))).status, name).toBe(status)
  }
  expect((await seen('wes')).mail.address).toBe(to)
  await w.as('amy').delete(addressOf(w))
  expect((await seen('ada')).mail.address).toBeNull()
})
