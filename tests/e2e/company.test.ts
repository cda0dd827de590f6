import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { Link } from '../../contract/links.ts'
import type { Answer } from '../../dev/http-client.ts'
import { jpegLike, upload } from '../support/files.ts'
import { makeLink } from '../support/guests.ts'
import { mailTo } from '../support/mail.ts'
import { PHONE } from '../support/people.ts'
import { pictureBytes } from '../support/pictures.ts'
import { PLACED_XMP, tracesIn } from '../support/placed-files.ts'
import { degrees, Recorder, type Secrets, text } from '../support/recorder.ts'
import { test as app, live, SOON, type Viewer } from '../support/viewer.ts'
import { type Actor, PASSWORD, type World, world } from '../support/world.ts'

/**
 * Four people at once: Ada, whose collection it is, Rae, who reads it, and two guests of a link, Oma on her phone, and Gil, who registers and becomes a writer.
 * Each sees what the others do, as far as they may. Everything that their browsers receive is searched for secrets.
 */

const PLACE = { lat: 47.5622, lon: 13.6493, name: 'Grüne Hütte' }
const FROM_GUEST = { yes: 'garden-of-oma.jpg', no: 'declined-by-ada.jpg' }
const ELSEWHERE = 'Pörtö by the river'

type Name = 'ada' | 'rae' | 'oma' | 'gil'

interface Watcher extends Viewer {
  recorder: Recorder
  /** Whether they are in the app; otherwise they have the page of the link. */
  member: boolean
}

interface Company {
  kyoto: World
  ada: Actor
  rae: Actor
  /** Path of Kyoto in the API. */
  base: string
  link: Link & { url: string }
  /** Another collection of Ada's. */
  porto: string
  people: Record<Name, Watcher>
  /** Another tab of Oma, with the timeline as guests see it. */
  timeline: Page
  gilsEmail: string
  /** Ids of what the steps have made, by name. */
  ids: Record<string, string>
  folder: string
}

const test = app
  .extend('record', ({ browser: _ }, { onCleanup }) => {
    const ends: (() => void)[] = []
    onCleanup(() => {
      for (const end of ends) end()
    })
    return async () => {
      const recorder = new Recorder()
      ends.push(await recorder.start())
      return recorder
    }
  })
  .extend('company', async ({ folder, openPage, record }): Promise<Company> => {
    const kyoto = await world({ rae: 'read' })
    const [ada, rae] = [kyoto.as('ada'), kyoto.as('rae')]
    const base = `/api/collections/${kyoto.collection.id}`
    await ok(ada.put(base, { places: 'nothing' }))
    const porto = (await ok(ada.post('/api/collections', { name: ELSEWHERE }))).collection.id
    const note = { type: 'note', title: 'Wine', collectionIds: [porto] }
    const { post: portoPost } = await ok(ada.post('/api/post', note))
    const link = await makeLink(ada, kyoto.collection.id, { allows: 'add', location: 'exact', download: true, join: true, role: 'write' })
    const open = async (actor: Actor | null, options: object): Promise<Watcher> => {
      const recorder = await record()
      const person = await openPage({ ...(actor && { as: actor }), proxy: recorder.proxy, ...options })
      const who: Watcher = { ...person, sockets: [], recorder, member: actor !== null }
      who.page.on('websocket', (socket) => who.sockets.push(socket))
      await who.page.goto(actor ? `/collections/timeline?c=${kyoto.collection.id}` : link.url)
      if (actor) await arrive(who, kyoto)
      return who
    }
    const people = {
      ada: await open(ada, {}),
      rae: await open(rae, {}),
      oma: await open(null, { viewport: PHONE, hasTouch: true, isMobile: true }),
      gil: await open(null, {}),
    }
    const timeline = await people.oma.context.newPage()
    await timeline.goto(`/collections/timeline?c=${kyoto.collection.id}&link=${link.id}`)
    await timeline.getByRole('main').waitFor()
    await timeline.evaluate('globalThis.loadedOnce = true')
    return {
      timeline,
      ...{ kyoto, ada, rae, base, link, porto, people, folder },
      gilsEmail: `gil-${porto.slice(-12)}@example.org`,
      ids: { portoPost: portoPost.id },
    }
  })

/** Until the app stands and hears what happens. From then on, it must not load anew. */
async function arrive(who: Watcher, kyoto: World): Promise<void> {
  await live(who, kyoto)
  await who.page.getByRole('main').waitFor()
  await who.page.evaluate('globalThis.loadedOnce = true')
}

async function ok(answer: Promise<Answer>) {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

type View = 'Timeline' | 'Media' | 'Settings' | 'Comments'

interface Kind {
  kind: string
  act: (company: Company) => Promise<unknown>
  /** Where members look, and the element that they see then; some of them may see another, or none. */
  at?: View
  members: Sees | Partial<Record<Name, Sees>>
  /** The page of the link that guests open then, and what they see on it. */
  page?: (company: Company) => string
  guests?: Sees
  /** The elements are there no more. */
  gone?: true
}
type Sees = (page: Page) => Locator

const article = (page: Page) => page.getByRole('article', { name: 'First snow' }).first()
const words = (wanted: string | RegExp) => (page: Page) => page.getByText(wanted, { exact: true }).first()
const tile = (wanted: RegExp) => (page: Page) => page.getByRole('button', { name: wanted })
const shared = (name: string) => (page: Page) => page.getByRole('list', { name: 'Photos and files' }).getByRole('link', { name })
const said = (wanted: string) => (page: Page) =>
  page.getByRole('dialog').getByRole('region', { name: 'Comments' }).getByText(wanted, { exact: true })
const linkRow = (page: Page) => page.getByRole('listitem').filter({ hasText: 'For the family' })
const picker = (page: Page) => page.getByRole('button', { name: 'Collection: Kyoto in winter' })
const roleOfGil = (role: string) => (page: Page) =>
  page.getByRole('listitem').filter({ hasText: 'Gil Test' }).getByText(role, { exact: true })
const postPage = ({ ids, link }: Company) => `${new URL(link.url).pathname}/post/${ids.post}`

const KINDS: Kind[] = [
  {
    kind: 'a post',
    async act({ ada, ids, kyoto, porto }) {
      const { post } = await ok(ada.post('/api/post', { type: 'note', title: 'First snow', collectionIds: [kyoto.collection.id, porto] }))
      ids.post = post.id
    },
    members: article,
    guests: (page) => page.getByRole('heading', { name: 'First snow' }),
  },
  {
    kind: 'a comment by a guest',
    async act(company) {
      const { page } = company.people.gil
      await page.goto(postPage(company))
      await say(page, 'Gil', 'How white')
    },
    at: 'Comments',
    members: said('How white'),
    page: postPage,
    guests: words('How white'),
  },
  {
    kind: 'a guest who registers, claims, asks to join, and is accepted',
    act: join,
    at: 'Comments',
    members: (page) =>
      page
        .getByRole('dialog')
        .getByRole('region', { name: 'Comments' })
        .getByRole('article', { name: /^Gil Test/ }),
    page: postPage,
    guests: words('Gil Test'),
  },
  {
    kind: 'an edit of a post',
    act: ({ ada, ids }) => ok(ada.patch(`/api/post/${ids.post}`, { body: '<p>Up to the knees</p>' })),
    members: words('Up to the knees'),
    guests: words('Up to the knees'),
  },
  {
    kind: 'another date',
    act: ({ ada, ids }) => ok(ada.post('/api/post/bulk.date', { ids: [ids.post], date: '2019-03-03T12:00:00Z', datePrecision: 'day' })),
    members: (page) => page.getByRole('heading', { name: 'Sunday, 3 March 2019' }),
    guests: words(/3 March 2019/),
  },
  {
    kind: 'a place, which is hidden from all but the owner',
    act: ({ ada, ids }) => ok(ada.post('/api/post/bulk.location', { ids: [ids.post], location: PLACE })),
    members: { ada: (page) => article(page).getByText(PLACE.name) },
    guests: (page) => page.getByRole('heading', { name: 'First snow' }),
  },
  {
    kind: 'a photo with its place',
    at: 'Media',
    async act({ ada, base, folder, ids, people }) {
      const at = path.join(folder, 'lake.jpg')
      await writeFile(at, await photoOfPlace())
      const { page } = people.ada
      await page.getByRole('button', { name: 'New', exact: true }).click()
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('menuitem', { name: 'Photos or files' }).click()
      await (await chooser).setFiles(at)
      await tile(/^Photo lake\.jpg/)(page).waitFor(SOON)
      const { assets } = await ok(ada.get(`/api/asset?collection_id=${base.split('/').at(-1)}`))
      ids.photo = assets[0].id
    },
    members: tile(/^Photo lake\.jpg/),
    guests: shared('lake.jpg'),
  },
  {
    kind: 'a stack',
    at: 'Media',
    async act({ ada, base, ids, kyoto }) {
      const collectionIds = [kyoto.collection.id]
      ids.gate = (await upload(ada, jpegLike(), { name: 'Gate.jpg', width: 40, height: 30, collectionIds })).id
      ids.door = (await upload(ada, jpegLike(), { name: 'Door.jpg', width: 40, height: 30, collectionIds })).id
      await ok(ada.post(`${base}/groups`, { assetIds: [ids.gate, ids.door], cover: ids.gate }))
    },
    members: tile(/^Photo Gate\.jpg.*, stack of 2$/),
    guests: shared('Gate.jpg'),
  },
  {
    kind: 'a photo that leaves',
    at: 'Media',
    act: ({ ada, ids, kyoto }) => ok(ada.delete(`/api/asset/${ids.gate}/collections/${kyoto.collection.id}`)),
    members: tile(/^Photo Gate\.jpg/),
    guests: shared('Gate.jpg'),
    gone: true,
  },
  {
    kind: 'a guest’s photo that the owner accepts',
    at: 'Media',
    act: contribute,
    members: tile(new RegExp(`^Photo ${FROM_GUEST.yes}`)),
    guests: shared(FROM_GUEST.yes),
  },
  {
    kind: 'a comment by a guest on a phone',
    at: 'Comments',
    async act(company) {
      const { page } = company.people.oma
      await page.goto(postPage(company))
      await say(page, null, 'Do you wear hats?')
    },
    members: said('Do you wear hats?'),
    page: postPage,
    guests: words('Do you wear hats?'),
  },
  {
    kind: 'an answer',
    at: 'Comments',
    async act({ ids, kyoto, rae }) {
      const about = `/api/post/${ids.post}/comments`
      const { comments } = await ok(rae.get(`${about}?collection_id=${kyoto.collection.id}`))
      ids.hats = comments.find((comment: { text: string }) => comment.text === 'Do you wear hats?').id
      const { comment } = await ok(rae.post(about, { collection_id: kyoto.collection.id, text: 'Woollen ones', replyTo: ids.hats }))
      ids.answer = comment.id
    },
    members: said('Woollen ones'),
    page: postPage,
    guests: words('Woollen ones'),
  },
  {
    kind: 'a deleted comment',
    at: 'Comments',
    act: ({ ids, rae }) => ok(rae.delete(`/api/comments/${ids.answer}`)),
    members: said('Woollen ones'),
    page: postPage,
    guests: words('Woollen ones'),
    gone: true,
  },
  {
    kind: 'a hidden comment',
    at: 'Comments',
    act: ({ ada, ids }) => ok(ada.patch(`/api/comments/${ids.hats}`, { hidden: true })),
    members: {
      ada: said('Hidden from others'),
      rae: said('This comment was hidden by an admin'),
      gil: said('This comment was hidden by an admin'),
    },
    page: postPage,
    guests: words('Hidden by an admin.'),
  },
  {
    kind: 'a reaction',
    act: ({ ids, kyoto, rae }) => ok(rae.put(`/api/post/${ids.post}/reactions/👍?collection_id=${kyoto.collection.id}`)),
    members: (page) => article(page).getByRole('button', { name: 'Thumbs up 1' }),
    page: postPage,
    guests: (page) => page.getByRole('button', { name: '👍 1' }),
  },
  {
    kind: 'a tag',
    at: 'Settings',
    async act({ ada, base, ids }) {
      const { person } = await ok(ada.post(`${base}/people`, { name: 'Mizuki' }))
      await ok(ada.post('/api/post/bulk.people', { ids: [ids.post], add: [person.id] }))
    },
    members: (page) => page.getByRole('link', { name: '1 item with Mizuki' }),
  },
  {
    kind: 'a new name of the collection',
    act: ({ ada, base }) => ok(ada.put(base, { name: 'Kyoto in winter' })),
    members: { ada: picker, rae: picker, gil: picker },
    guests: (page) => page.getByRole('heading', { level: 1, name: 'Kyoto in winter' }),
  },
  {
    kind: 'a trashed post',
    async act({ ada, ids }) {
      ids.change = (await ok(ada.delete(`/api/post/${ids.post}`))).changeId
    },
    members: article,
    guests: (page) => page.getByRole('heading', { name: 'First snow' }),
    gone: true,
  },
  {
    kind: 'a restored post',
    act: ({ ada, ids }) => ok(ada.post(`/api/undo/${ids.change}`)),
    members: article,
    guests: (page) => page.getByRole('heading', { name: 'First snow' }),
  },
  {
    kind: 'another role',
    at: 'Settings',
    async act({ ada, base, gilsEmail }) {
      const { members } = await ok(ada.get(`${base}/members`))
      const gil = members.find(({ email }: { email: string }) => email === gilsEmail)
      await ok(ada.put(`${base}/members/${gil.user_id}`, { role: 'read' }))
    },
    members: {
      ada: (page) => page.getByRole('combobox', { name: 'Role of Gil Test' }).and(page.locator(':has(option[value=read]:checked)')),
      rae: roleOfGil('Reader'),
      gil: roleOfGil('Reader'),
    },
  },
  {
    kind: 'a file that each of them fetches',
    at: 'Media',
    act: ({ ids, link, people }) =>
      Promise.all(
        Object.values(people).map(async ({ page, member }) => {
          const at = `/api/asset/${ids.photo}/file${member ? '' : `?link=${link.id}`}`
          expect(await page.evaluate(async (url) => (await fetch(url)).status, at)).toBe(200)
        }),
      ),
    members: tile(/^Photo lake\.jpg/),
  },
  {
    kind: 'a link that is renamed',
    at: 'Settings',
    act: ({ ada, base, link }) => ok(ada.patch(`${base}/links/${link.id}`, { name: 'For the family' })),
    members: { ada: linkRow },
    guests: (page) => page.getByRole('heading', { level: 1, name: 'For the family' }),
  },
  {
    kind: 'a link that lets guests look alone',
    at: 'Settings',
    act: ({ ada, base, link }) => ok(ada.patch(`${base}/links/${link.id}`, { allows: 'look' })),
    members: { ada: (page) => linkRow(page).getByText(/\. View · /) },
    guests: (page) => page.getByRole('link', { name: /comment/ }),
    gone: true,
  },
  {
    kind: 'a link that ends',
    at: 'Settings',
    act: ({ ada, base, link }) => ok(ada.delete(`${base}/links/${link.id}`)),
    members: { ada: words('No links.') },
    guests: words(/This link has ended/),
  },
]

/** In its EXIF and XMP, in the ways that `tracesIn` knows. */
const photoOfPlace = async () =>
  sharp(await pictureBytes('kingfisher-on-a-branch', 1200))
    .withExif({
      IFD2: { DateTimeOriginal: '2024:05:03 10:00:00', OffsetTimeOriginal: '+02:00' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '47/1 33/1 4392/100', GPSLongitudeRef: 'E', GPSLongitude: '13/1 38/1 5748/100' },
    })
    .withXmp(PLACED_XMP)
    .toBuffer()

async function say(page: Page, name: string | null, comment: string): Promise<void> {
  if (name !== null) await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Your comment').fill(comment)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText(comment).waitFor()
}

async function join({ gilsEmail, kyoto, link, people }: Company): Promise<void> {
  const { ada, gil } = people
  const { page } = gil
  await page.goto(link.url)
  await page.getByRole('button', { name: 'Ask to join' }).click()
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByRole('textbox', { name: 'First name' }).fill('Gil')
  await page.getByRole('textbox', { name: 'Last name' }).fill('Test')
  await page.getByRole('textbox', { name: 'E-mail' }).fill(gilsEmail)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('button', { name: 'Make it mine' }).waitFor()
  await page.goto((await mailTo(gilsEmail, 'Confirm')).link ?? '')
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await page.getByText('Your e-mail address is confirmed', { exact: true }).waitFor()
  await page.goto(link.url)
  await page.getByRole('button', { name: 'Make it mine' }).click()
  await page.getByRole('button', { name: 'Make it mine' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Ask to join' }).click()
  await page.getByText('You have asked to become a member.').waitFor()

  await goTo(ada, 'Settings')
  const requests = ada.page.getByRole('list', { name: 'Requests to join Kyoto' })
  await requests.getByText(gilsEmail).waitFor(SOON)
  await requests.getByRole('button', { name: /^Accept / }).click()
  await goTo(ada, 'Comments')

  await page.reload()
  await page.getByRole('link', { name: 'Open it in Cairn' }).click()
  gil.member = true
  await arrive(gil, kyoto)
}

/** Oma sends two photos, of which Ada declines one. */
async function contribute({ link, people: { ada, oma } }: Company): Promise<void> {
  const { page } = oma
  await page.goto(link.url)
  await page.getByRole('textbox', { name: 'Your name' }).fill('Oma')
  const buffer = await pictureBytes('kingfisher-on-a-branch', 800)
  const files = Object.values(FROM_GUEST).map((name) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: Buffer.concat([buffer, Buffer.from(name)]),
  }))
  await page.getByLabel('Photos, videos or other files').setInputFiles(files)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: `Take back ${FROM_GUEST.no}` }).waitFor(SOON)

  await goTo(ada, 'Settings')
  const tray = ada.page.getByRole('region', { name: 'From guests' })
  await tray.getByRole('checkbox', { name: FROM_GUEST.yes }).waitFor(SOON)
  await tray.getByRole('checkbox', { name: FROM_GUEST.no }).click(SOON)
  await tray.getByRole('button', { name: 'Decline 1 photo' }).click()
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await tray.getByRole('checkbox', { name: FROM_GUEST.no }).waitFor({ state: 'detached' })
  await tray.getByRole('button', { name: 'Accept all' }).click()
  await tray.waitFor({ state: 'detached' })
  await goTo(ada, 'Media')
}

/** In the app, without loading the page anew. */
async function goTo({ page }: Watcher, view: View): Promise<void> {
  const comments = page.getByRole('dialog').getByRole('region', { name: 'Comments' })
  if (await comments.isVisible()) {
    if (view === 'Comments') return
    await page.keyboard.press('Escape')
    await comments.waitFor({ state: 'detached' })
  }
  const name = view === 'Comments' ? 'Timeline' : view
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  if (view !== 'Comments') return
  await page.getByRole('button', { name: /^Comment: First snow|comments?: First snow/ }).click()
  await comments.getByRole('textbox', { name: 'Write a comment' }).waitFor()
}

/** Secrets that each browser must not receive. Ada’s must receive them all, which proves that the search works. */
function secretsOf({ ada, rae, gilsEmail, ids, porto }: Company): Record<Exclude<Name, 'ada'>, Secrets> {
  const secrets = {
    'the name of the place': text(PLACE.name),
    'the latitude': degrees(PLACE.lat),
    'the longitude': degrees(PLACE.lon),
    'the place in the file': (bytes: Buffer) => tracesIn(bytes).length > 0,
    'the id of the other collection': text(porto),
    'the name of the other collection': text(ELSEWHERE),
    'the post of the other collection': text(ids.portoPost ?? ''),
    'the e-mail of the owner': text(ada.email),
    'the e-mail of the reader': text(rae.email),
    'the e-mail of the new writer': text(gilsEmail),
    'the declined photo': text(FROM_GUEST.no),
  }
  const without = (...own: (keyof typeof secrets)[]) =>
    Object.fromEntries(Object.entries(secrets).filter(([name]) => !own.some((one) => one === name)))
  return {
    rae: without('the e-mail of the reader'),
    gil: without('the e-mail of the new writer'),
    oma: without('the declined photo'),
  }
}

test('Four people see every kind of change that they may see, and nothing else', async ({ annotate, company }) => {
  const { people } = company
  const secrets = secretsOf(company)
  const all = { ...secrets.rae, ...secrets.gil, ...secrets.oma }
  const everyone = Object.entries(people) as [Name, Watcher][]
  const missing = new Set(Object.keys(all))
  const delays: { kind: string; name: Name; ms: number }[] = []
  for (const { kind, act, at = 'Timeline', members, page, guests, gone } of KINDS) {
    const sees = (name: Name) => (typeof members === 'function' ? members : members[name])
    const watching = everyone.filter(([name, { member }]) => member && sees(name))
    await Promise.all(watching.map(([, who]) => goTo(who, at)))
    await act(company)
    const done = performance.now()
    const look = async ([name, who]: [Name, Watcher]) => {
      const state = gone ? 'detached' : 'attached'
      if (!who.member) {
        if (!guests) return
        if (name === 'oma' && at === 'Timeline' && typeof members === 'function') {
          await members(company.timeline).waitFor({ state, ...SOON })
          delays.push({ kind, name, ms: Math.round(performance.now() - done) })
        }
        await who.page.goto(page?.(company) ?? company.link.url)
        await who.page.getByRole('heading', { level: 1 }).waitFor()
        return guests(who.page).waitFor({ state })
      }
      const seen = sees(name)
      if (!seen) return
      const isNew = !watching.some(([other]) => other === name)
      if (isNew) await goTo(who, at)
      await seen(who.page).waitFor({ state, ...SOON })
      if (!isNew) delays.push({ kind, name, ms: Math.round(performance.now() - done) })
    }
    const failures = (await Promise.allSettled(everyone.map(look))).flatMap((result, nth) =>
      result.status === 'rejected' ? [`${everyone[nth]?.[0]}: ${result.reason}`] : [],
    )
    expect(failures, kind).toEqual([])
    for (const [name, { recorder }] of everyone) {
      if (name !== 'ada') expect(recorder.leaks(secrets[name]), `${name} after ${kind}`).toEqual([])
      else for (const found of recorder.leaks(all)) missing.delete(found.slice(found.indexOf(': ') + 2))
    }
  }
  expect([...missing], 'not found in what the owner received').toEqual([])
  for (const [, { member, page }] of everyone) expect(member && !(await page.evaluate('globalThis.loadedOnce'))).toBe(false)
  expect(await company.timeline.evaluate('globalThis.loadedOnce'), 'never reloaded').toBe(true)
  const sorted = delays.toSorted((a, b) => a.ms - b.ms)
  const [median, last] = [sorted[sorted.length >> 1], sorted.at(-1)]
  await annotate(`seen ${median?.ms} ms after the answer at the median, ${last?.ms} at most, by ${last?.name}: ${last?.kind}`)
}, 300_000)
