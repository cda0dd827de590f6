import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type Person, PHONE, signInAs } from '../support/people.ts'
import { chooseFromMenu, focusedName, tabTo } from '../support/reach.ts'
import { type World, world } from '../support/world.ts'

/** What ends things, and what begins them, each with a mouse, with keys alone and with a finger on a phone. */

let chromium: Awaited<ReturnType<typeof openBrowser>>
beforeAll(async () => {
  chromium = await openBrowser()
})
afterAll(() => chromium?.close())

interface Way {
  name: string
  options: BrowserContextOptions
  /** Presses the button that is called so. */
  press: (page: Page, name: RegExp) => Promise<void>
}

const button = (page: Page, name: RegExp) => page.getByRole('button', { name }).first()

const WAYS: readonly Way[] = [
  { name: 'a mouse', options: {}, press: (page, name) => button(page, name).click() },
  {
    name: 'keys alone',
    options: {},
    press: async (page, name) => {
      await button(page, name).waitFor()
      await tabTo(page, name)
      await page.keyboard.press('Enter')
    },
  },
  { name: 'a finger', options: { viewport: PHONE, hasTouch: true, isMobile: true }, press: (page, name) => button(page, name).tap() },
]

async function enter({ options }: Way, w: World, name: string, address: string): Promise<Person> {
  const person = await chromium.person({ reducedMotion: 'reduce', ...options })
  await signInAs(person, w.as(name))
  await person.page.goto(address)
  return person
}

const settingsOf = ({ collection }: World) => `/collections/settings?c=${collection.id}`
const until = <T>(see: () => T) => expect.poll(see, { timeout: 30_000 })
const rolesIn = async (w: World, asked: string) => {
  const { members } = (await w.as(asked).get(`/api/collections/${w.collection.id}/members`)).body
  return Object.fromEntries(members.map(({ user_id, role }: { user_id: string; role: string }) => [user_id, role]))
}

test.each(WAYS)('with $name an invitation is sent again and taken back, and somebody else becomes the owner', async (way) => {
  const w = await world({ bob: 'write' })
  const { id } = w.collection
  await w.as('ada').post(`/api/collections/${id}/invites/invite`, { email: 'eve@example.org', role: 'read' })
  const { page, context, errors } = await enter(way, w, 'ada', settingsOf(w))
  await way.press(page, /^Send again the invitation to eve@example.org$/)
  await page.getByText('eve@example.org is invited again').first().waitFor()
  await way.press(page, /^Cancel the invitation to eve@example.org$/)
  await page.getByText('No invitation is open.').waitFor()
  expect((await w.as('ada').get(`/api/collections/${id}/invites`)).body.invites).toEqual([])

  const owner = page.getByRole('combobox', { name: 'New owner' })
  if (way.name === 'keys alone') {
    await tabTo(page, /^New owner$/)
    await page.keyboard.type('Bob')
  } else await owner.selectOption('Bob Test')
  await way.press(page, /^Transfer…$/)
  await page.getByRole('dialog', { name: 'Give “Kyoto” to Bob Test?' }).waitFor()
  await way.press(page, /^Transfer$/)
  await page.getByRole('heading', { name: 'Leave', exact: true }).waitFor()
  expect(await rolesIn(w, 'bob')).toEqual({ [w.as('ada').id]: 'admin', [w.as('bob').id]: 'owner' })

  await way.press(page, /^Leave…$/)
  await page.getByRole('dialog', { name: 'Leave “Kyoto”?' }).waitFor()
  await way.press(page, /^Leave$/)
  await page.waitForURL('**/collections')
  await page.getByText('Your first collection').waitFor()
  expect(await rolesIn(w, 'bob')).toEqual({ [w.as('bob').id]: 'owner' })
  expect(errors).toEqual([])
  await context.close()
})

test.each(WAYS)(
  'with $name somebody is invited, a member gets another role and is removed, and it is said what roles may do',
  async (way) => {
    const w = await world({ bob: 'read' })
    const bob = w.as('bob').id
    const { page, context, errors } = await enter(way, w, 'ada', settingsOf(w))
    const role = page.getByRole('combobox', { name: 'Role of Bob Test' })
    if (way.name === 'keys alone') {
      await tabTo(page, /^Role of Bob Test$/)
      await page.keyboard.type('Writer')
    } else await role.selectOption('Writer')
    await until(async () => (await rolesIn(w, 'ada'))[bob]).toBe('write')
    await page.getByText('What each role may do').waitFor()
    const disclosure = page.getByText('What each role may do')
    if (way.name === 'keys alone') {
      await tabTo(page, /^What each role may do/)
      await page.keyboard.press('Enter')
    } else await (way.name === 'a finger' ? disclosure.tap() : disclosure.click())
    await page.getByRole('table').getByRole('columnheader', { name: 'Admin' }).waitFor()

    await way.press(page, /^Remove Bob Test/)
    await page.getByRole('dialog', { name: 'Remove Bob Test?' }).waitFor()
    await way.press(page, /^Remove$/)
    await until(() => rolesIn(w, 'ada')).toEqual({ [w.as('ada').id]: 'owner' })
    await role.waitFor({ state: 'detached' })

    await way.press(page, /^Invite somebody$/)
    const inviting = page.getByRole('dialog', { name: 'Invite to “Kyoto”' })
    await inviting.getByRole('textbox', { name: 'E-mail' }).waitFor()
    if (way.name === 'keys alone') {
      await until(() => focusedName(page)).toBe('E-mail')
      await page.keyboard.type('eve@example.org')
      await tabTo(page, /^Reader/)
      await page.keyboard.press('ArrowDown')
    } else {
      await inviting.getByRole('textbox', { name: 'E-mail' }).fill('eve@example.org')
      const writer = inviting.getByRole('radio', { name: /^Writer/ })
      await (way.name === 'a finger' ? writer.tap() : writer.click())
    }
    await way.press(page, /^Send invitation$/)
    await inviting.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Cancel the invitation to eve@example.org' }).waitFor()
    const { invites } = (await w.as('ada').get(`/api/collections/${w.collection.id}/invites`)).body
    expect(invites).toMatchObject([{ email: 'eve@example.org', role: 'write' }])
    expect(errors).toEqual([])
    await context.close()
  },
)

test.each(WAYS)('with $name an invitation is declined, and a collection deleted once its name is typed', async (way) => {
  const w = await world({ dan: null })
  const theirs = (await w.as('dan').post('/api/collections', { name: 'Rowing club' })).body.collection
  await w.as('dan').post(`/api/collections/${theirs.id}/invites/invite`, { email: w.as('ada').email, role: 'read' })
  const { page, context, errors } = await enter(way, w, 'ada', '/collections')
  await way.press(page, /^Decline the invitation to Rowing club$/)
  await page.getByRole('dialog', { name: 'Decline the invitation to “Rowing club”?' }).waitFor()
  await way.press(page, /^Decline$/)
  await page.getByRole('button', { name: 'Accept the invitation to Rowing club' }).waitFor({ state: 'detached' })
  await until(async () => (await w.as('dan').get(`/api/collections/${theirs.id}/invites`)).body.invites).toEqual([])

  await page.goto(settingsOf(w))
  await way.press(page, /^Delete…$/)
  const sure = page.getByRole('dialog', { name: 'Delete “Kyoto”?' })
  await sure.getByRole('textbox').waitFor()
  if (way.name === 'keys alone') await page.keyboard.type('Kyoto')
  else await sure.getByRole('textbox').fill('Kyoto')
  await way.press(page, /^Delete collection$/)
  await page.waitForURL('**/collections')
  await page.getByText('“Kyoto” is deleted').first().waitFor()
  expect((await w.as('ada').get('/api/collections')).body.collections).toEqual([])
  expect(errors).toEqual([])
  await context.close()
})

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')

test.each(WAYS)('with $name photos are chosen from this device', async (way) => {
  const w = await world()
  const { page, context, errors } = await enter(way, w, 'ada', `/collections/media?c=${w.collection.id}`)
  await page.getByText('No photos here yet').waitFor()
  const chooser = page.waitForEvent('filechooser')
  if (way.name === 'keys alone') {
    await tabTo(page, /^New$/)
    await chooseFromMenu(page, /^Photos or files$/)
  } else {
    await way.press(page, /^New$/)
    const item = page.getByRole('menuitem', { name: 'Photos or files' })
    await (way.name === 'a finger' ? item.tap() : item.click())
  }
  const pictures = (await readdir(PICTURES)).slice(0, 2).map((name) => path.join(PICTURES, name))
  await (await chooser).setFiles(pictures)
  await page.getByText('2 photos added').first().waitFor({ timeout: 60_000 })
  await until(() => page.getByRole('button', { name: /^Photo / }).count()).toBe(2)
  expect(errors).toEqual([])
  await context.close()
})
