import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { localSql } from '../../dev/neon.ts'
import { mailTo } from '../support/mail.ts'
import { dropFiles, openBrowser, type Person, signUpInBrowser } from '../support/people.ts'
import { objectBytes } from '../support/storage.ts'

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')
const ADA = `ada-${crypto.randomUUID().slice(0, 8)}@example.org`
const BOB = `bob-${crypto.randomUUID().slice(0, 8)}@example.org`

let chromium: Awaited<ReturnType<typeof openBrowser>>
let ada: Person
let bob: Person
let files: string[]

beforeAll(async () => {
  chromium = await openBrowser()
  ada = await chromium.person()
  bob = await chromium.person()
  files = (await readdir(PICTURES)).slice(0, 50).map((name) => path.join(PICTURES, name))
})

afterAll(() => chromium?.close())

test('somebody registers and is led to their first collection', async () => {
  const { page } = ada
  await signUpInBrowser(page, { firstName: 'Ada', lastName: 'Lovelace', email: ADA })
  await page.getByRole('button', { name: 'New collection' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New collection' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Four seasons')
  await dialog.getByRole('radio', { name: 'Camping' }).click()
  await dialog.getByRole('radio', { name: 'Sky' }).click()
  await dialog.getByRole('button', { name: 'Create collection' }).click()
  await page.getByText('No photos yet. Drop some anywhere.').waitFor()
  const [row] = await localSql(
    inject('stack').databaseUrl,
  )`select c.icon, c.theme from collections c join users u on u.id = c.user_id where u.email = ${ADA}`
  expect(row).toMatchObject({ icon: 'camping', theme: { primary: 'sky' } })
})

test('fifty photos dropped at once arrive whole, by the day they were taken', async () => {
  const { page } = ada
  await dropFiles(page, files)
  await page.getByText('50 photos added').first().waitFor({ timeout: 120_000 })
  await expect.poll(() => page.getByRole('button', { name: /^Photo / }).count()).toBeGreaterThan(5)

  const rows = await localSql(inject('stack').databaseUrl)`
    select a.id, a.name, a.checksum, a.status, a.width, a.thumbhash, a.renditions, a.date, a.lat from assets a join users u on u.id = a.user_id
    where u.email = ${ADA}`
  expect(rows).toHaveLength(50)
  for (const row of rows) {
    const original = await readFile(path.join(PICTURES, String(row.name)))
    const digest = createHash('sha256').update(original).digest('hex')
    expect(row).toMatchObject({ status: 'ready', checksum: digest })
    expect(row.thumbhash).toBeTruthy()
    expect(Object.keys(row.renditions as object).toSorted()).toEqual(['preview', 'thumb'])
    const stored = await objectBytes(`assets/${row.id}/original`)
    expect(
      createHash('sha256')
        .update(stored ?? '')
        .digest('hex'),
      `${row.name} in object storage`,
    ).toBe(digest)
  }
  expect(rows.filter(({ date }) => date !== null).length).toBeGreaterThan(40)
  expect(rows.filter(({ lat }) => lat !== null).length).toBeGreaterThan(40)
})

test('dropped again, nothing is doubled', async () => {
  const { page } = ada
  await dropFiles(page, files.slice(0, 5))
  await page
    .getByText(/5 were already here/)
    .first()
    .waitFor()
  const [row] = await localSql(
    inject('stack').databaseUrl,
  )`select count(*)::int as n from assets a join users u on u.id = a.user_id where u.email = ${ADA}`
  expect(row?.n).toBe(50)
})

test('a photo opens large, and the keys lead on and back', async () => {
  const { page } = ada
  const first = page.getByRole('button', { name: /^Photo / }).first()
  await first.click()
  const lightbox = page.getByRole('region', { name: 'Lightbox' }).or(page.getByRole('dialog'))
  await lightbox.first().waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('item')).toBeTruthy()
  const opened = new URL(page.url()).searchParams.get('item')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => new URL(page.url()).searchParams.get('item')).not.toBe(opened)
  await page.keyboard.press('Escape')
  await expect.poll(() => new URL(page.url()).searchParams.get('item')).toBeNull()
})

test('a second person is invited, registers, confirms the address, accepts and sees the photos', async () => {
  await ada.page.getByRole('link', { name: 'Settings' }).first().click()
  await ada.page.getByRole('button', { name: 'Invite someone' }).first().click()
  const dialog = ada.page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill(BOB.toUpperCase())
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await dialog.waitFor({ state: 'hidden' })

  const { page } = bob
  await signUpInBrowser(page, { firstName: 'Bob', lastName: 'Babbage', email: BOB })
  const notice = page.getByRole('status').filter({ hasText: 'Confirm your e-mail address to see invitations' })
  await notice.waitFor()
  const asked = page.waitForResponse('**/api/collections/invited')
  await notice.getByRole('button', { name: 'I have confirmed it' }).click()
  expect(await (await asked).json()).toEqual({ success: true, invitedCollections: [] })
  expect(await page.getByText('Four seasons').count()).toBe(0)
  const { link } = await mailTo(BOB, 'Confirm')
  await page.goto(link ?? '')
  await page.getByRole('heading', { name: 'Invitations' }).waitFor()
  await notice.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Accept the invitation to Four seasons' }).click()
  await expect.poll(() => page.getByRole('button', { name: /^Photo / }).count()).toBeGreaterThan(5)
})

test('a reader is not offered what they may not do', async () => {
  const { page } = bob
  expect(await page.getByRole('button', { name: 'New', exact: true }).count()).toBe(0)
  await dropFiles(page, files.slice(0, 1))
  await page
    .getByText(/cannot add|make you a writer/i)
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'Settings' }).first().click()
  await page.getByRole('heading', { name: 'Members' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Invitations' }).count()).toBe(0)
  expect(await page.getByText(ADA).count()).toBe(0)
  expect(bob.errors).toEqual([])
  expect(ada.errors).toEqual([])
})
