import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, inject, vi } from 'vitest'
import { LANGUAGE_COOKIE } from '../../../contract/language/languages.ts'
import { demo } from '../../../dev/demo/demo.ts'
import { beginning, upload } from '../../support/files.ts'
import { newPerson, type Person, signInAs } from '../../support/people.ts'
import { uploadPicture } from '../../support/pictures.ts'
import { reseal } from '../../support/sessions.ts'
import { withoutBootstrap } from '../../support/without-bootstrap.ts'
import { type Actor, register, type World, world, worldWith } from '../../support/world.ts'
import { inLanguage } from './in-language.ts'

/** One of them has no location. */
const PICTURES = demo.pictures.toSorted((a, b) => (a.file < b.file ? -1 : 1)).slice(0, 14)

type Who = 'nobody' | 'guest' | 'ada' | 'bob' | 'cy' | 'newcomer' | 'lapsed' | 'owner of nothing' | 'owner of many' | 'writer of many'

export interface Screen {
  name: string
  who: Who
  drawsMap?: boolean
  /** In another language it is opened anew, since a toast stays in the language in which it was said, and a language waits until nobody writes. */
  opensAnew?: boolean
  /** Comes from the test itself, in English. */
  keepsEnglish?: boolean
  /** Address, in which a collection is named by the world it belongs to: `full('map')`. */
  path: string
  /** Brings the screen into its state, and waits for what shows that it is there. */
  open?: (page: Page, stage: Stage) => Promise<unknown>
}

const inside = (world: string) => (view: string) => `/collections/${view}?c={${world}}`
export const full = inside('full')
export const empty = inside('empty')
export const many = inside('many')

export interface Stage {
  full: World
  empty: World
  many: World
  newcomer: Actor
  /** Signed in so long ago that some things ask for the password. */
  lapsed: Actor
}

const FILMS = path.resolve(import.meta.dirname, '../../fixtures/films')

const otherFiles = async (): Promise<[name: string, type: string, bytes: Uint8Array][]> => [
  ['storm.mov', 'video/quicktime', await readFile(path.join(FILMS, 'hevc.mov'))],
  ['waves.mp4', 'video/mp4', await readFile(path.join(FILMS, 'phone.mp4'))],
  ['plan.pdf', 'application/pdf', beginning('%PDF-1.7\n')],
]

export async function setStage(): Promise<Stage> {
  const stage = {
    full: await world({ bob: 'write', cy: 'read', dan: null }),
    empty: await world(),
    many: await worldWith(600, { bob: 'write' }),
    newcomer: await register('newcomer'),
    lapsed: await register('lapsed'),
  }
  const { collection } = stage.many
  await stage.many.as('ada').post('/api/collections', { name: 'Family' })
  for (const [name, type, bytes] of await otherFiles()) {
    await upload(stage.many.as('ada'), bytes, { name, type, collectionIds: [collection.id], date: new Date().toISOString() })
  }
  await reseal(stage.lapsed, { provenAt: 0 })
  await fill(stage.full)
  return stage
}

/** A believable collection: photos, posts, people, an invitation sent and one received. */
async function fill({ collection, as }: World): Promise<void> {
  await Promise.all(
    PICTURES.map(({ file: name, date, zone, location }) =>
      uploadPicture(as('ada'), path.parse(name).name, 1600, {
        name,
        date,
        dateZone: zone,
        datePrecision: 'minute',
        location,
        collectionIds: [collection.id],
      }),
    ),
  )
  const base = `/api/collections/${collection.id}`
  const assets: { id: string }[] = (await as('ada').get(`/api/asset?collection_id=${collection.id}`)).body.assets
  const pictures = (from: number, to: number) => assets.slice(from, to).map(({ id }) => id)
  const post = (fields: object) => as('ada').post('/api/post', { collectionIds: [collection.id], ...fields })
  await as('ada').post(`${base}/people`, { name: 'Grandmother' })
  await as('ada').post(`${base}/people`, { name: 'Granny' })
  await as('ada').post(`${base}/invites/invite`, { email: 'eve@example.org', role: 'write' })
  const weekend = await post({
    type: 'event',
    kind: 'trip',
    title: 'A weekend in the hills',
    body: '<p>Fog in the valley, and <strong>sun above it</strong>. <a href="https://example.org">The hut</a> was open.</p><ul><li>bread</li><li>cheese</li></ul>',
    date: '2026-05-01T09:00:00+02:00',
    dateZone: 'Europe/Vienna',
    datePrecision: 'day',
    existingAssetIds: pictures(0, 3),
  })
  // Of this day where the browser is, and of the next one, which may begin meanwhile; four, for the sake of the 29th of February.
  const viennaDay = (at: number) => new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Vienna' }).format(at)
  for (const [title, at, existingAssetIds] of [
    ['First snow above the tree line', Date.now(), pictures(3, 6)],
    ['The day after', Date.now() + 86_400_000, []],
  ] as const) {
    const [year = '', ...monthAndDay] = viennaDay(at).split('-')
    const date = `${[Number(year) - 4, ...monthAndDay].join('-')}T12:00:00Z`
    await post({ type: 'event', kind: 'trip', title, date, dateZone: 'Europe/Vienna', datePrecision: 'day', existingAssetIds })
  }
  await post({ type: 'note', title: 'What to pack', body: '<p>Less.</p>' })
  await talk({ as, collection }, 'post', weekend.body.post.id)
  const newest = assets[0]
  if (newest) await talk({ as, collection }, 'asset', newest.id)
  for (const title of ['An old list', 'Written twice']) {
    const thrown = await post({ type: 'note', title, body: '' })
    await as('ada').delete('/api/post/bulk', { ids: [thrown.body.post.id] })
  }
  const theirs = await as('dan').post('/api/collections', { name: 'Rowing club', icon: 'sailing' })
  await as('dan').post(`/api/collections/${theirs.body.collection.id}/invites/invite`, { email: as('ada').email, role: 'read' })
}

/** What people say about an item: in another direction, with a link, an answer, one that is hidden and one that was deleted. */
async function talk({ as, collection }: Pick<World, 'as' | 'collection'>, kind: 'post' | 'asset', id: string): Promise<void> {
  const say = async (who: string, text: string, replyTo?: string) => {
    const { body } = await as(who).post(`/api/${kind}/${id}/comments`, { collection_id: collection.id, text, replyTo })
    return body.comment as { id: string }
  }
  const react = (who: string, path: string, emoji: string) => as(who).put(`${path}/reactions/${encodeURIComponent(emoji)}`)
  const first = await say(
    'bob',
    'What a view! We were there in 2019, and it rained all day. The hut has a page of its own: https://example.org/hut',
  )
  await say('ada', 'Then come along next time.', first.id)
  await say('cy', 'صورة جميلة جدا 😍')
  const rude = await say('bob', 'Who left the dishes?')
  await as('ada').patch(`/api/comments/${rude.id}`, { hidden: true })
  const gone = await say('cy', 'Is the hut open in winter?')
  await say('bob', 'From December on.', gone.id)
  await as('cy').delete(`/api/comments/${gone.id}`)
  await react('ada', `/api/comments/${first.id}`, '❤️')
  for (const [who, emoji] of [
    ['ada', '❤️'],
    ['bob', '❤️'],
    ['cy', '🏔️'],
  ] as const)
    await as(who).put(`/api/${kind}/${id}/reactions/${encodeURIComponent(emoji)}?collection_id=${collection.id}`)
}

/** Opens screens, in one browser for each of the people, kept from screen to screen. */
export function cast(browser: Browser, stage: Stage, options: BrowserContextOptions) {
  const people = new Map<Who, Promise<Person>>()
  const enter = async (who: Who) => {
    const person = await newPerson(browser, options)
    if (who === 'newcomer') await signInAs(person, stage.newcomer)
    else if (who === 'lapsed') await signInAs(person, stage.lapsed)
    else if (who === 'owner of many') await signInAs(person, stage.many.as('ada'))
    else if (who === 'writer of many') await signInAs(person, stage.many.as('bob'))
    else if (who === 'owner of nothing') await signInAs(person, stage.empty.as('ada'))
    else if (who !== 'nobody' && who !== 'guest') await signInAs(person, stage.full.as(who))
    return person
  }
  const as = (who: Who): Promise<Person> => {
    const person = people.get(who) ?? enter(who)
    people.set(who, person)
    return person
  }
  return {
    as,
    /** A language in which it opens the screen, else the one that the browser has. */
    async show({ who, path: address, open }: Screen, language?: string): Promise<void> {
      const { context, page } = await as(who)
      if (language) await context.addCookies([{ name: LANGUAGE_COOKIE, value: language, url: inject('stack').origin }])
      await page.goto(address.replace(/\{(full|empty|many)\}/, (_, name: 'full' | 'empty' | 'many') => stage[name].collection.id))
      await fetchLanguages(page)
      await open?.(language ? await inLanguage(page, language) : page, stage)
      await settled(page)
    },
    close: async () => {
      for (const person of people.values()) await (await person).context.close()
    },
  }
}

/** The browser keeps all languages, so that the page can change its language without a connection. */
const fetchLanguages = (page: Page) =>
  page.evaluate(async () => void (await Promise.all(Object.values(globalThis.startLanguage?.files ?? {}).map((file) => fetch(file)))))

/** Waits until all animations have ended, including those that begin in the next frame. */
export async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)))
  })
}

/** Waits for maps as well, which are drawn again when the colours change. */
export async function settled(page: Page): Promise<void> {
  await still(page)
  await expect.poll(() => page.locator('.maplibregl-map:not([data-drawn])').count(), { timeout: 60_000 }).toBe(0)
}

export const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first().waitFor()
export const photo = (page: Page) => page.getByRole('button', { name: /^Photo / }).first()
export const grid = (page: Page) => page.getByRole('grid').first().waitFor()
export const pin = (page: Page) => page.locator('[data-pin]').first().waitFor()
export const entry = (page: Page) => page.getByRole('article').first().waitFor()
/** A day of the timeline. */
export const timeline = (page: Page) => page.locator('main h2').first().waitFor()

export async function selectAll(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^(Photo|Open) / })
    .first()
    .waitFor()
  // The keys are heard a moment after the first paint.
  await vi.waitFor(async () => {
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar', { name: 'Selected items' }).waitFor({ timeout: 500 })
  }, 20_000)
}

export const failing = (pattern: string, address?: string) => async (page: Page) => {
  await withoutBootstrap(page)
  const body = JSON.stringify({ success: false, error: { code: 'unavailable', message: 'The database does not answer just now.' } })
  await page.route(pattern, (route) => route.fulfill({ status: 503, contentType: 'application/json', body }))
  await (address ? page.goto(address) : page.reload())
  await page
    .getByRole('button', { name: /try again/i })
    .first()
    .waitFor({ timeout: 60_000 })
}
