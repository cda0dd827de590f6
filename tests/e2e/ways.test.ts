import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test, WAYS } from '../support/ways.ts'
import { type World, world } from '../support/world.ts'

/** What ends things, and what begins them, each with a mouse, also on an enlarged page, with keys alone and with a finger on a phone. */

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first()
const settingsOf = ({ collection }: World) => `/collections/settings?c=${collection.id}`
const until = <T>(see: () => T) => expect.poll(see, { timeout: 30_000 })
const rolesIn = async (kyoto: World, asked: string) => {
  const { members } = (await kyoto.as(asked).get(`/api/collections/${kyoto.collection.id}/members`)).body
  return Object.fromEntries(members.map(({ user_id, role }: { user_id: string; role: string }) => [user_id, role]))
}

test.for(WAYS)('An owner resends and cancels an invitation, transfers the collection and leaves it with $name', async (way, { enter }) => {
  const kyoto = await world({ bob: 'write' })
  const { id } = kyoto.collection
  await kyoto.as('ada').post(`/api/collections/${id}/invites/invite`, { email: 'eve@example.org', role: 'read' })
  const { page } = await enter(way, kyoto.as('ada'), settingsOf(kyoto))
  await way.press(button(page, 'Send again the invitation to eve@example.org'))
  await page.getByText('eve@example.org has been invited again').first().waitFor()
  await way.press(button(page, 'Cancel the invitation to eve@example.org'))
  await page.getByText('No open invitations.').waitFor()
  expect((await kyoto.as('ada').get(`/api/collections/${id}/invites`)).body.invites).toEqual([])

  await way.select(page.getByRole('combobox', { name: 'New owner' }), 'Bob Test')
  await way.press(button(page, 'Transfer…'))
  await page.getByRole('dialog', { name: 'Transfer “Kyoto” to Bob Test?' }).waitFor()
  await way.press(button(page, 'Transfer'))
  await page.getByRole('heading', { name: 'Leave', exact: true }).waitFor()
  expect(await rolesIn(kyoto, 'bob')).toEqual({ [kyoto.as('ada').id]: 'admin', [kyoto.as('bob').id]: 'owner' })

  await way.press(button(page, 'Leave…'))
  await page.getByRole('dialog', { name: 'Leave “Kyoto”?' }).waitFor()
  await way.press(button(page, 'Leave'))
  await page.waitForURL('**/collections')
  await page.getByText('Your first collection').waitFor()
  expect(await rolesIn(kyoto, 'bob')).toEqual({ [kyoto.as('bob').id]: 'owner' })
})

test.for(WAYS)('An owner reads about roles, changes one, removes a member and invites a person with $name', async (way, { enter }) => {
  const kyoto = await world({ bob: 'read' })
  const bob = kyoto.as('bob').id
  const { page } = await enter(way, kyoto.as('ada'), settingsOf(kyoto))
  const role = page.getByRole('combobox', { name: 'Role of Bob Test' })
  await way.select(role, 'Writer')
  await until(async () => (await rolesIn(kyoto, 'ada'))[bob]).toBe('write')
  await way.press(page.locator('summary', { hasText: 'Role permissions' }))
  await page.getByRole('table').getByRole('columnheader', { name: 'Admin' }).waitFor()

  await way.press(page.getByRole('button', { name: /^Remove Bob Test/ }))
  await page.getByRole('dialog', { name: 'Remove Bob Test?' }).waitFor()
  await way.press(button(page, 'Remove'))
  await until(() => rolesIn(kyoto, 'ada')).toEqual({ [kyoto.as('ada').id]: 'owner' })
  await role.waitFor({ state: 'detached' })

  await way.press(button(page, 'Invite someone'))
  const inviting = page.getByRole('dialog', { name: 'Invite to “Kyoto”' })
  await way.write(inviting.getByRole('textbox', { name: 'E-mail' }), 'eve@example.org')
  await way.press(inviting.getByRole('radio', { name: /^Writer/ }))
  await way.press(button(page, 'Send invitation'))
  await inviting.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Cancel the invitation to eve@example.org' }).waitFor()
  const { invites } = (await kyoto.as('ada').get(`/api/collections/${kyoto.collection.id}/invites`)).body
  expect(invites).toMatchObject([{ email: 'eve@example.org', role: 'write' }])
})

test.for(WAYS)('An invitation is declined and a collection deleted by typing its name with $name', async (way, { enter }) => {
  const kyoto = await world({ dan: null })
  const theirs = (await kyoto.as('dan').post('/api/collections', { name: 'Rowing club' })).body.collection
  await kyoto.as('dan').post(`/api/collections/${theirs.id}/invites/invite`, { email: kyoto.as('ada').email, role: 'read' })
  const { page } = await enter(way, kyoto.as('ada'), '/collections')
  await way.press(button(page, 'Decline the invitation to Rowing club'))
  await page.getByRole('dialog', { name: 'Decline the invitation to “Rowing club”?' }).waitFor()
  await way.press(button(page, 'Decline'))
  await page.getByRole('button', { name: 'Accept the invitation to Rowing club' }).waitFor({ state: 'detached' })
  await until(async () => (await kyoto.as('dan').get(`/api/collections/${theirs.id}/invites`)).body.invites).toEqual([])

  await page.goto(settingsOf(kyoto))
  await way.press(button(page, 'Delete…'))
  const sure = page.getByRole('dialog', { name: 'Delete “Kyoto”?' })
  await way.write(sure.getByRole('textbox'), 'Kyoto')
  await way.press(button(page, 'Delete collection'))
  await page.waitForURL('**/collections')
  await page.getByText('“Kyoto” deleted').first().waitFor()
  expect((await kyoto.as('ada').get('/api/collections')).body.collections).toEqual([])
})

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')

test.for(WAYS)('Photos are chosen from the device with $name', async (way, { enter }) => {
  const kyoto = await world()
  const { page } = await enter(way, kyoto.as('ada'), `/collections/media?c=${kyoto.collection.id}`)
  await page.getByText('No photos yet').waitFor()
  const chooser = page.waitForEvent('filechooser')
  await way.choose(button(page, 'New'), 'Photos or files')
  const pictures = (await readdir(PICTURES)).slice(0, 2).map((name) => path.join(PICTURES, name))
  await (await chooser).setFiles(pictures)
  await page.getByText('2 photos added').first().waitFor({ timeout: 60_000 })
  await until(() => page.getByRole('button', { name: /^Photo / }).count()).toBe(2)
})
