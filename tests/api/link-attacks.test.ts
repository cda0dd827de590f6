import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { ATTEMPTS } from '../../contract/attempts.ts'
import { newId } from '../../contract/ids.ts'
import { LinkFilters } from '../../contract/links.ts'
import { type Answer, type CallOptions, Client } from '../../dev/http-client.ts'
import { attemptKey } from '../../worker/services/accounts/limit-attempts.ts'
import { beginning, sendFilm, upload, video } from '../support/files.ts'
import { GuestClient, guestOf, makeLink, secretOf } from '../support/guests.ts'
import { placedFiles, tracesIn } from '../support/placed-files.ts'
import { PIXEL } from '../support/role-scene.ts'
import { assetRow } from '../support/rows.ts'
import { register, type World, world } from '../support/world.ts'

let w: World
beforeAll(async () => {
  w = await world({ amy: 'admin', wes: 'write', rita: 'read' })
})

const collection = () => w.collection.id
const note = async (title: string, more: object = {}) =>
  (await w.as('ada').post('/api/post', { type: 'note', title, collectionIds: [collection()], ...more })).body.post.id as string
const linkPath = (id: string) => `/api/collections/${collection()}/links/${id}`

/** A photo of ada in the collection, with a thumb. */
async function photo(more: object = {}): Promise<string> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  const bytes = await sharp({ create: { width: 32, height: 24, channels: 3, background: '#888', noise } })
    .jpeg()
    .toBuffer()
  const { id } = await upload(w.as('ada'), new Uint8Array(bytes), { collectionIds: [collection()], ...more })
  await w.as('ada').put(`/api/asset/${id}/renditions/thumb`, PIXEL, { type: 'image/webp' })
  return id
}

/** Every call that a guest may make, about these items. */
function callsOf(guest: Client, { post, asset, film }: { post: string; asset: string; film: string }): [string, () => Promise<Answer>][] {
  const path = `/api/collections/${collection()}`
  const gets = [
    path,
    `${path}/timeline`,
    `${path}/people`,
    ...['post', 'asset'].flatMap((kind) => [
      `/api/${kind}`,
      `/api/${kind}?collection_id=${collection()}`,
      `/api/${kind}?collection_id=${collection()}&form=columns`,
    ]),
    `/api/post/${post}`,
    `/api/asset/${asset}`,
    `/api/asset/${asset}/file`,
    `/api/asset/${asset}/renditions/thumb`,
    `/api/asset/${film}/renditions/film`,
    `/_image/w_320/${asset}`,
  ]
  return [
    ...gets.map((address): [string, () => Promise<Answer>] => [address, () => guest.get(address)]),
    ['ticket', () => guest.post('/api/live/ticket', { room: `collection:${collection()}` })],
  ]
}

const statusesOf = async (calls: [string, () => Promise<Answer>][]) =>
  Object.fromEntries(await Promise.all(calls.map(async ([name, call]) => [name, (await call()).status])))

async function items() {
  const [asset, { id: film }] = [await photo(), await upload(w.as('ada'), video(), { type: 'video/mp4', collectionIds: [collection()] })]
  await sendFilm(w.as('ada'), film)
  return { post: await note('Seen'), asset, film }
}

describe('A secret', () => {
  test('that is unknown, shortened, lengthened or of another form opens nothing', async () => {
    const secret = secretOf((await makeLink(w.as('ada'), collection())).url)
    for (const wrong of [
      secret.slice(1),
      `${secret}A`,
      `${secret.slice(0, -1)}${secret.endsWith('A') ? 'Q' : 'A'}`,
      'x'.repeat(22),
      '%00',
      newId(),
    ])
      expect((await w.anonymous.post(`/api/links/${wrong}/enter`, {})).status, wrong).toBe(404)
  })

  test('is not opened by a page of another site', async () => {
    const { url } = await makeLink(w.as('ada'), collection())
    const { status } = await w.anonymous.post(`/api/links/${secretOf(url)}/enter`, {}, { headers: { origin: 'https://evil.example' } })
    expect(status).toBe(403)
  })

  test('of a link that has ended, or is over, answers 410', async () => {
    const made = [await makeLink(w.as('ada'), collection()), await makeLink(w.as('ada'), collection())]
    await w.as('ada').delete(linkPath(made[0]?.id ?? ''))
    await w.sql`update links set ends_at = now() - interval '1 second' where id = ${made[1]?.id}`
    for (const { url } of made) expect((await new GuestClient(w.origin).enter(url)).status).toBe(410)
  })

  test('of a deleted collection answers 410', async () => {
    const { body } = await w.as('ada').post('/api/collections', { name: 'Gone' })
    const guest = await guestOf(w.as('ada'), body.collection.id)
    await w.as('ada').delete(`/api/collections/${body.collection.id}`)
    expect((await guest.get(`/api/collections/${body.collection.id}`)).status).toBe(401)
    expect((await guest.enter(guest.made.url)).status).toBe(410)
  })
})

describe('Guessing', () => {
  /** The tests' stack allows a thousand times as many. */
  const used = async (action: 'enterLink' | 'linkPassword' | 'newGuest', subject: string, tries: number) => {
    const key = await attemptKey(action, subject)
    await w.sql`insert into rate_limits (key, tries, resets_at) values (${key}, ${tries}, now() + interval '5 minutes') on conflict (key) do update set tries = excluded.tries`
  }

  test('secrets from one network gets 429 after a number of them', async () => {
    const headers = { 'cf-connecting-ip': '192.0.2.32' }
    await used('enterLink', 'address:192.0.2.32', ATTEMPTS.enterLink.perAddress * 1000 - 1)
    expect((await w.anonymous.post(`/api/links/${'x'.repeat(22)}/enter`, {}, { headers })).status).toBe(404)
    expect((await w.anonymous.post(`/api/links/${'x'.repeat(22)}/enter`, {}, { headers })).status).toBe(429)
  })

  test('a password waits longer and longer, and the right one gets 429 meanwhile, but not from another network', async () => {
    const { id, url } = await makeLink(w.as('ada'), collection(), { password: 'first snow' })
    const from = (network: number) => ({ headers: { 'cf-connecting-ip': `192.0.2.${network}` } })
    const tryIt = (password: string, network: number) =>
      new Client(w.origin).post(`/api/links/${secretOf(url)}/enter`, { password }, from(network))
    await used('linkPassword', `pair:192.0.2.33 ${id}`, ATTEMPTS.linkPassword.perPair * 1000 + 100)
    expect((await tryIt('wrong one', 33)).status).toBe(403)
    for (const password of ['wrong one', 'first snow']) expect((await tryIt(password, 33)).status).toBe(429)
    expect((await tryIt('first snow', 34)).status).toBe(200)
    await used('linkPassword', `link:${id}`, ATTEMPTS.linkPassword.perLink * 1000)
    expect((await tryIt('first snow', 35)).status).toBe(429)
  })

  test('a link can be opened by so many new browsers at a time, and by those who have opened it before', async () => {
    const { id, url } = await makeLink(w.as('ada'), collection())
    const guest = new GuestClient(w.origin)
    expect((await guest.enter(url)).status).toBe(200)
    await used('newGuest', `link:${id}`, ATTEMPTS.newGuest.perLink * 1000)
    expect((await new GuestClient(w.origin).enter(url)).status).toBe(429)
    expect((await guest.enter(url)).status).toBe(200)
  })

  test('a password twenty times tells nothing', async () => {
    const { url } = await makeLink(w.as('ada'), collection(), { password: 'first snow' })
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => new GuestClient(w.origin).enter(url, { password: `guess ${n}` })),
    )
    expect(new Set(statuses.map(({ status, body }) => `${status} ${body.error.message}`))).toEqual(new Set(['403 The password is wrong']))
  })
})

describe('After it has ended, no call of a guest is answered:', () => {
  const ends: [string, (guest: Awaited<ReturnType<typeof guestOf>>) => Promise<unknown>][] = [
    ['it was ended', (guest) => w.as('amy').delete(linkPath(guest.link))],
    ['its time is over', (guest) => w.sql`update links set ends_at = now() where id = ${guest.link}`],
    ['its password was changed', (guest) => w.as('ada').patch(linkPath(guest.link), { password: 'another one' })],
  ]
  test.each(ends)('%s', async (_, end) => {
    const seen = await items()
    const guest = await guestOf(w.as('ada'), collection(), { location: 'exact', download: true })
    const calls = callsOf(guest, seen)
    for (const [name, status] of Object.entries(await statusesOf(calls))) expect([name, status]).toEqual([name, 200])
    await end(guest)
    // Pictures may be answered for ten seconds more, by whoever asked for them before.
    const pictures = /renditions\/thumb|_image/
    for (const [name, status] of Object.entries(await statusesOf(calls.filter(([name]) => !pictures.test(name)))))
      expect([name, status]).toEqual([name, 401])
    const other = await photo()
    expect((await guest.get(`/api/asset/${other}/renditions/thumb`)).status).toBe(401)
  })

  test.each([
    ['its maker was removed', async (maker: string) => w.as('ada').delete(`/api/collections/${collection()}/members/${w.as(maker).id}`)],
    [
      'its maker became a reader',
      async (maker: string) => w.as('ada').put(`/api/collections/${collection()}/members/${w.as(maker).id}`, { role: 'read' }),
    ],
    [
      'its maker became a writer',
      async (maker: string) => w.as('ada').put(`/api/collections/${collection()}/members/${w.as(maker).id}`, { role: 'write' }),
    ],
    ['its maker left', async (maker: string) => w.as(maker).delete(`/api/collections/${collection()}/invites/leave`)],
    [
      'its maker deleted the account',
      async (maker: string) =>
        w.as(maker).delete('/api/users/profile', { email: w.as(maker).email, items: 'leave', deleteCollections: [] }),
    ],
  ])('%s', async (_, lose) => {
    const [w2, before] = [w, collection()]
    w = await world({ mia: 'admin' })
    try {
      const guest = await guestOf(w.as('mia'), collection())
      expect((await lose('mia')).status).toBe(200)
      expect((await guest.get(`/api/collections/${collection()}`)).status).toBe(401)
      expect((await guest.enter(guest.made.url)).status).toBe(410)
      // It does not come back with the role.
      await w.sql`insert into members (collection_id, user_id, role) select ${collection()}, id, 'admin' from users where id = ${w.as('mia').id} and deleted_at is null
        on conflict (collection_id, user_id) do update set role = 'admin'`
      expect((await guest.enter(guest.made.url)).status).toBe(410)
    } finally {
      w = w2
      expect(collection()).toBe(before)
    }
  })
})

describe('The cookie of a guest', () => {
  test('opens its own link alone, also under the name of another', async () => {
    const [one, two] = [await guestOf(w.as('ada'), collection()), await makeLink(w.as('ada'), collection())]
    const [name = '', value = ''] = [...one.cookies][0] ?? []
    one.cookies.set(name.replace(one.link, two.id), value)
    one.link = two.id
    expect((await one.get(`/api/collections/${collection()}`)).status).toBe(401)
    one.link = newId()
    expect((await one.get(`/api/collections/${collection()}`)).status).toBe(401)
    one.link = "' or 1=1"
    expect((await one.get(`/api/collections/${collection()}`)).status).toBe(401)
  })

  test('of two links shows each as it is, side by side', async () => {
    const [a, b] = [await note('Of the one'), await note('Of the other')]
    const both = await guestOf(w.as('ada'), collection(), { kind: 'items', itemIds: [a] })
    const first = both.link
    await both.enter((await makeLink(w.as('ada'), collection(), { kind: 'items', itemIds: [b] })).url)
    const seen = async () => (await both.get('/api/post')).body.posts.map(({ id }: { id: string }) => id)
    expect(await seen()).toEqual([b])
    both.link = first
    expect(await seen()).toEqual([a])
  })

  test('is no session, and a session is no guest', async () => {
    const guest = await guestOf(w.as('ada'), collection())
    const link = guest.link
    guest.link = ''
    expect((await guest.get(`/api/collections/${collection()}`)).status).toBe(401)
    // Ada may see all of it, but not as a guest of a link that she has not opened.
    for (const path of [
      `/api/collections/${collection()}`,
      '/api/feed',
      '/api/users/profile',
      '/api/bootstrap',
      '/api/auth/session',
      '/api/access',
    ])
      expect((await w.as('ada').get(`${path}?link=${link}`)).status, path).toBe(401)
    expect((await w.as('ada').post(`/api/post?link=${link}`, { type: 'note', title: 'x' })).status).toBe(401)
    // With both cookies she is the guest.
    const both = new GuestClient(w.origin)
    for (const [name, value] of [...w.as('ada').cookies, ...guest.cookies]) both.cookies.set(name, value)
    both.link = link
    expect((await both.get(`/api/collections/${collection()}`)).body.role).toBe('guest')
    expect((await both.get('/api/collections')).status).toBe(401)
  })

  test('beside an access token is no guest', async () => {
    const { body } = await w.as('ada').post('/api/users/tokens', { name: 'T', scope: 'read' })
    const guest = await guestOf(w.as('ada'), collection())
    expect((await guest.get(`/api/collections/${collection()}`, { headers: { authorization: `Bearer ${body.secret}` } })).status).toBe(401)
  })

  test('of before a changed password stays out after its guest is in again', async () => {
    const guest = await guestOf(w.as('ada'), collection())
    const copied = Object.assign(new GuestClient(w.origin), { link: guest.link })
    for (const [name, value] of guest.cookies) copied.cookies.set(name, value)
    await w.as('ada').patch(linkPath(guest.link), { password: 'first snow' })
    const before = guest.guest
    expect((await guest.enter(guest.made.url, { password: 'first snow' })).status).toBe(200)
    expect(guest.guest).toEqual(before)
    expect((await guest.get(`/api/collections/${collection()}`)).status).toBe(200)
    expect((await copied.get(`/api/collections/${collection()}`)).status).toBe(401)
  })
})

test('A link to trashed or removed items shows them no more', async () => {
  const [post, asset] = [await note('Soon in the trash'), await photo()]
  const guest = await guestOf(w.as('ada'), collection(), { kind: 'items', itemIds: [post, asset] })
  await w.as('ada').delete(`/api/post/${post}`)
  await w.as('ada').delete(`/api/asset/${asset}/collections/${collection()}`)
  for (const path of [`/api/post/${post}`, `/api/asset/${asset}`, `/api/asset/${asset}/renditions/thumb`])
    expect((await guest.get(path)).status, path).toBe(404)
  expect([(await guest.get('/api/post')).body.posts, (await guest.get('/api/asset')).body.assets]).toEqual([[], []])
})

describe('Originals', () => {
  test('are played but not downloaded without downloads, and pictures have none', async () => {
    const { asset, film } = await items()
    const guest = await guestOf(w.as('ada'), collection(), { location: 'exact' })
    const status = async (path: string) => (await guest.get(path)).status
    expect(await status(`/api/asset/${film}/file`)).toBe(200)
    expect(await status(`/api/asset/${film}/file?download=1`)).toBe(403)
    expect(await status(`/api/asset/${asset}/file`)).toBe(403)
    expect(await status(`/api/asset/${asset}/renditions/thumb`)).toBe(200)
  })

  test('are sent without the place where it is hidden, and refused where it cannot be removed', async () => {
    const files = (await placedFiles()).filter(({ name }) => ['motion.jpg', 'telemetry.mp4'].includes(name))
    const ids = await Promise.all(
      files.map(async ({ bytes, ...file }) => (await upload(w.as('ada'), bytes, { ...file, collectionIds: [collection()] })).id),
    )
    const playableBytes = files.find(({ type }) => type === 'video/mp4')?.bytes ?? new Uint8Array()
    const { id: film } = await upload(w.as('ada'), video(playableBytes.length), { type: 'video/mp4', collectionIds: [collection()] })
    await sendFilm(w.as('ada'), film, playableBytes)
    const answer = (guest: Client, id: string) => guest.get(`/api/asset/${id}/file`)
    for (const location of ['hidden', 'town'] as const) {
      const guest = await guestOf(w.as('ada'), collection(), { location, download: true })
      for (const id of ids) {
        const { status, bytes } = await answer(guest, id)
        expect([location, status, tracesIn(bytes)]).toEqual([location, 200, []])
      }
      expect((await answer(guest, film)).status).toBe(403)
      const playable = await guest.get(`/api/asset/${film}/renditions/film`)
      expect([playable.status, tracesIn(playable.bytes)]).toEqual([200, []])
      // A film is played without downloads.
      const looker = await guestOf(w.as('ada'), collection(), { location })
      const [photo, played] = await Promise.all(ids.map((id) => answer(looker, id)))
      expect([photo?.status, played?.status, played && tracesIn(played.bytes)]).toEqual([403, 200, []])
    }
    const exact = await guestOf(w.as('ada'), collection(), { location: 'exact', download: true })
    for (const id of ids) expect(tracesIn((await answer(exact, id)).bytes)).not.toEqual([])
  })

  test('lose the place where the collection or the item hides it', async () => {
    const { asset } = await items()
    const guest = await guestOf(w.as('ada'), collection(), { location: 'exact', download: true })
    const placeless = async () => {
      const { status, headers } = await guest.get(`/api/asset/${asset}/file`)
      return [status, headers.get('etag')?.includes('placeless')]
    }
    expect(await placeless()).toEqual([200, false])
    await w.as('ada').put(`/api/asset/${asset}`, { placeHidden: true })
    expect(await placeless()).toEqual([200, true])
    await w.as('ada').put(`/api/asset/${asset}`, { placeHidden: false })
    await w.as('ada').put(`/api/collections/${collection()}`, { places: 'town' })
    expect(await placeless()).toEqual([200, true])
    await w.as('ada').put(`/api/collections/${collection()}`, { places: 'exact' })
    expect(await placeless()).toEqual([200, false])
  })

  test('of any type that were made in a home zone are refused, as to readers, also where the middle of the town is outside of it', async () => {
    const wes = w.as('wes')
    const zones = [{ name: 'Home', lat: 47.01, lon: 8.01, radius: 500 }]
    expect((await wes.put('/api/users/zones', { zones })).status).toBe(200)
    const location = { lat: 47.011, lon: 8.012, name: 'At home' }
    const guest = await guestOf(w.as('ada'), collection(), { location: 'exact', download: true })
    for (const [type, name, bytes] of [
      ['audio/mpeg', 'voice.mp3', beginning('ID3\x04\0')],
      ['application/pdf', 'letter.pdf', beginning('%PDF-1.7\n')],
    ] as const) {
      const { id } = await upload(wes, bytes, { type, name, collectionIds: [collection()], location })
      for (const caller of [guest, w.as('rita')]) {
        expect((await caller.get(`/api/asset/${id}/file`)).status, type).toBe(403)
        const { asset } = (await caller.get(`/api/asset/${id}`)).body
        expect([asset.place, asset.location]).toEqual([{ seen: 'town' }, { lat: 47.05, lon: 8.05 }])
      }
    }
    const { body } = await wes.post('/api/post', { type: 'note', title: 'Home', collectionIds: [collection()], location })
    expect((await guest.get(`/api/post/${body.post.id}`)).body.post.place).toEqual({ seen: 'town' })
  })
})

/** Keeps the text of every answer. */
class RecordedGuest extends GuestClient {
  readonly texts: string[] = []

  override async call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    const answer = await super.call(method, path, body, options)
    this.texts.push(`${method} ${path} ${[...answer.headers].join('\n')}\n${Buffer.from(answer.bytes).toString('latin1')}`)
    return answer
  }
}

describe('No answer to a guest has anything of', () => {
  const [lat, lon] = [47.123456, 8.765432]

  /** All calls by a guest of the link, before and after changes of everything; returns what has leaked. */
  async function leaks(
    link: object,
    secrets: (string | RegExp)[],
    seen: { post: string; asset: string; film: string },
    hidden: { post: string; asset: string },
    placedFilm: string,
    rename: () => Promise<unknown>,
  ) {
    const { url } = await makeLink(w.as('ada'), collection(), link)
    const guest = new RecordedGuest(w.origin)
    await guest.enter(url)
    const { revision } = (await guest.get(`/api/post?collection_id=${collection()}`)).body
    const ask = async () => {
      await statusesOf(callsOf(guest, seen))
      await guest.get(`/api/asset/${placedFilm}/file`)
      await statusesOf(callsOf(guest, { ...hidden, film: hidden.asset }))
      for (const kind of ['post', 'asset']) {
        await guest.get(`/api/${kind}?collection_id=${collection()}&since=${revision}`)
        await guest.get(`/api/${kind}?collection_id=${collection()}&since=${revision}&form=columns`)
        await guest.get(`/api/${kind}?collection_id=${collection()}&since=0`)
      }
      const closed = ['/members', '/invites', '/export', '/links', '/usage', '/calendar-link', '/people/unlinked'].map(
        (path) => `/api/collections/${collection()}${path}`,
      )
      await Promise.all(
        [...closed, '/api/collections', '/api/feed', '/api/bootstrap', '/api/trash', '/api/users/profile'].map((path) => guest.get(path)),
      )
    }
    await ask()
    await rename()
    await ask()
    // A guest cannot ask for what it has not: the ids that the test itself sends are in no answer but of those it asks for.
    return guest.texts.flatMap((text) => {
      const answer = text.slice(text.indexOf(' ', text.indexOf(' ') + 1))
      return secrets.flatMap((secret) =>
        (typeof secret === 'string' ? answer.includes(secret) : secret.test(answer)) ? [`${secret} in ${text.slice(0, 2_000)}`] : [],
      )
    })
  }

  test('items outside of it, other collections, addresses and hidden places', { timeout: 300_000 }, async () => {
    const before = w
    w = await world({ rita: 'read' })
    try {
      const ada = w.as('ada')
      await ada.put('/api/users/profile', { firstName: '', lastName: '' })
      const elsewhere = (await ada.post('/api/collections', { name: 'Elsewhere-7' })).body.collection.id
      const person = async (name: string) => (await ada.post(`/api/collections/${collection()}/people`, { name })).body.person.id as string
      const [tagged, untagged] = [await person('Tagged-7'), await person('Untagged-7')]
      const location = { lat, lon, name: 'Atlantis-7' }
      const where = { location, date: '2026-05-01T10:00:00Z', dateZone: 'Atlantic/Reykjavik' }
      const asset = await photo(where)
      const { id: film } = await upload(ada, video(), { type: 'video/mp4', collectionIds: [collection()] })
      const placed = (await placedFiles()).find(({ name }) => name === 'telemetry.mp4')
      const { id: placedFilm } = await upload(ada, placed?.bytes ?? new Uint8Array(), {
        name: 'telemetry.mp4',
        type: 'video/mp4',
        collectionIds: [collection()],
      })
      const post = await note('Shown', { peopleIds: [tagged], existingAssetIds: [asset], ...where })
      await ada.post(`/api/post/${post}/collections`, { collectionIds: [elsewhere] })
      const hiddenAsset = await photo({ name: 'secret-7.jpg' })
      const hidden = { post: await note('Secret-7', { peopleIds: [untagged], existingAssetIds: [hiddenAsset] }), asset: hiddenAsset }
      const secrets = [
        'Secret-7',
        'secret-7',
        hidden.post,
        hidden.asset,
        'Elsewhere-7',
        elsewhere,
        'Untagged-7',
        untagged,
        'Atlantis-7',
        'Reykjavik',
      ]
      const never = [
        ada.email,
        ada.email.split('@')[0] ?? '',
        w.as('rita').email,
        // Not the seconds of a moment.
        /(?<!\d:?)(47\.12|8\.76)/,
        '@example.org',
        '47.5622',
        'Hallstatt',
      ]
      const rename = async () => {
        await ada.patch(`/api/post/${hidden.post}`, { title: 'Secret-7 renamed' })
        await ada.put(`/api/asset/${hidden.asset}`, { alt: 'Secret-7' })
        await ada.patch(`/api/post/${post}`, { title: 'Shown again' })
      }
      const items = { kind: 'items', itemIds: [post, asset, film, placedFilm] }
      expect(await leaks(items, [...secrets, ...never], { post, asset, film }, hidden, placedFilm, rename)).toEqual([])
      const filter = { kind: 'filter', filters: LinkFilters.parse({ people: [tagged] }), location: 'town' }
      expect(await leaks(filter, [...secrets, ...never], { post, asset, film }, hidden, placedFilm, rename)).toEqual([])
      const whole = { kind: 'collection', location: 'hidden' }
      const outside = ['Elsewhere-7', elsewhere, 'Atlantis-7', 'Reykjavik', ...never]
      expect(await leaks(whole, outside, { post, asset, film }, hidden, placedFilm, rename)).toEqual([])
      // The recorder finds what a link does show.
      expect(
        await leaks({ kind: 'collection', location: 'exact' }, ['Atlantis-7'], { post, asset, film }, hidden, placedFilm, rename),
      ).not.toEqual([])
    } finally {
      w = before
    }
  })
})

test('A place that is hidden while a guest looks is in no later answer', async () => {
  const post = await note('Where', { location: { lat: 1.25, lon: 2.5, name: 'There' } })
  const guest = await guestOf(w.as('ada'), collection(), { location: 'exact' })
  const before = await guest.get(`/api/post?collection_id=${collection()}`)
  const place = async () => (await guest.get(`/api/post/${post}`)).body.post.location
  expect(await place()).toEqual({ lat: 1.25, lon: 2.5, name: 'There' })
  await w.as('ada').patch(linkPath(guest.link), { location: 'town' })
  expect(await place()).toEqual({ lat: 1.25, lon: 2.55 })
  const nowhere = await note('Nowhere')
  expect((await guest.get(`/api/post/${nowhere}`)).body.post.location).toBeNull()
  await w.as('ada').patch(linkPath(guest.link), { location: 'hidden' })
  expect(await place()).toBeNull()
  const known = { headers: { 'if-none-match': before.headers.get('etag') ?? '' } }
  const after = await guest.get(`/api/post?collection_id=${collection()}`, known)
  expect([after.status, JSON.stringify(after.body).includes('There')]).toEqual([200, false])
})

test('Members without a name are "A member" to guests', async () => {
  const anon = await register('anon')
  await anon.put('/api/users/profile', { firstName: '', lastName: '' })
  await w.sql`insert into members (collection_id, user_id, role) values (${collection()}, ${anon.id}, 'write')`
  const { body } = await anon.post('/api/post', { type: 'note', title: 'Unsigned', collectionIds: [collection()] })
  const guest = await guestOf(w.as('ada'), collection())
  expect((await guest.get(`/api/post/${body.post.id}`)).body.post.user_name).toBe('A member')
})

test('What a guest reads is in the schema of guests alone: the tables themselves are out of reach', async () => {
  const asset = await assetRow(w, 'ada', [collection()])
  const guest = await guestOf(w.as('ada'), collection())
  expect((await guest.get(`/api/asset/${asset}`)).status).toBe(200)
  const [row] = await w.sql`select access from guests where id = ${guest.guest.id}`
  const [, tables] = await w.sql.transaction([
    w.sql`select check_access(${row?.access})`,
    w.sql`select to_regclass('sessions') as sessions, to_regclass('invites') as invites, to_regclass('members')::text as members,
      (select count(*)::int from users where id = ${w.as('ada').id}) as authors, (select count(*)::int from users where id = ${w.as('rita').id}) as readers`,
  ])
  expect(tables?.[0]).toMatchObject({ sessions: null, invites: null, members: 'members', authors: 1, readers: 0 })
})
