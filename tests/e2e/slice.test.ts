import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { localSql } from '../../dev/neon.ts'
import { test as app } from '../support/fixtures.ts'
import { mailTo } from '../support/mail.ts'
import { dropFiles, signUpInBrowser } from '../support/people.ts'
import { objectBytes } from '../support/storage.ts'

/** From registration to a shared collection, as people do it: nothing is prepared over HTTP. */

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')
const FILES = (await readdir(PICTURES)).slice(0, 20).map((name) => path.join(PICTURES, name))

const test = app
  /** Registers Ada through the form. */
  .extend('newcomer', async ({ openPage }) => {
    const { page } = await openPage()
    const email = `ada-${crypto.randomUUID().slice(0, 8)}@example.org`
    await signUpInBrowser(page, { firstName: 'Ada', lastName: 'Lovelace', email })
    await sql`update auth."user" set "emailVerified" = true where email = ${email}`
    return { page, email }
  })
  /** Ada at her first collection. */
  .extend('ada', async ({ newcomer }) => {
    await createCollection(newcomer.page)
    return newcomer
  })

const sql = localSql(inject('stack').databaseUrl)

async function createCollection(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New collection' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New collection' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Four seasons')
  await dialog.getByRole('radio', { name: 'Camping' }).click()
  await dialog.getByRole('radio', { name: 'Sky' }).click()
  await dialog.getByRole('button', { name: 'Create collection' }).click()
  await page.getByText('No photos yet. Drop some anywhere.').waitFor()
}

async function addPhotos(page: Page, count: number): Promise<void> {
  await dropFiles(page, FILES.slice(0, count))
  await page.getByText(`${count} photos added`).first().waitFor({ timeout: 120_000 })
}

test('A newcomer registers and creates their first collection', async ({ newcomer: { page, email } }) => {
  await createCollection(page)
  const [row] = await sql`select c.icon, c.theme from collections c join users u on u.id = c.user_id where u.email = ${email}`
  expect(row).toMatchObject({ icon: 'camping', theme: { primary: 'sky' } })
})

test('Twenty photos dropped at once are stored whole with their dates', async ({ ada: { page, email } }) => {
  await addPhotos(page, 20)
  await expect.poll(() => page.getByRole('button', { name: /^Photo / }).count()).toBeGreaterThan(5)

  const rows = await sql`
    select a.id, a.name, a.checksum, a.status, a.width, a.thumbhash, a.renditions, a.date, a.lat from assets a join users u on u.id = a.user_id
    where u.email = ${email}`
  expect(rows).toHaveLength(20)
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
  expect(rows.filter(({ date }) => date !== null).length).toBeGreaterThan(16)
  expect(rows.filter(({ lat }) => lat !== null).length).toBeGreaterThan(16)
})

test('Photos dropped a second time are not duplicated, and in the lightbox keys lead to the next one', async ({ ada: { page, email } }) => {
  await addPhotos(page, 5)
  await dropFiles(page, FILES.slice(0, 5))
  await page
    .getByText(/5 were already here/)
    .first()
    .waitFor()
  const [row] = await sql`select count(*)::int as n from assets a join users u on u.id = a.user_id where u.email = ${email}`
  expect(row?.n).toBe(5)

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

test('An invited reader registers, confirms their address, accepts, sees the photos and is not offered what they may not do', async ({
  ada,
  openPage,
}) => {
  const { page } = await openPage()
  const email = `bob-${crypto.randomUUID().slice(0, 8)}@example.org`
  await addPhotos(ada.page, 8)
  await ada.page.getByRole('link', { name: 'Settings' }).first().click()
  await ada.page.getByRole('button', { name: 'Invite someone' }).first().click()
  const dialog = ada.page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill(email.toUpperCase())
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await dialog.waitFor({ state: 'hidden' })

  await signUpInBrowser(page, { firstName: 'Bob', lastName: 'Babbage', email })
  const notice = page.getByRole('status').filter({ hasText: 'Confirm your e-mail address to see invitations' })
  await notice.waitFor()
  const asked = page.waitForResponse('**/api/collections/invited')
  await notice.getByRole('button', { name: 'I have confirmed it' }).click()
  expect(await (await asked).json()).toEqual({ success: true, invitedCollections: [] })
  await page.getByText(`Confirm your e-mail address first. We sent a link to ${email}`).first().waitFor()
  expect(await page.getByText('Four seasons').count()).toBe(0)
  const { link } = await mailTo(email, 'Confirm')
  await page.goto(link ?? '')
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await page.getByRole('heading', { name: 'Invitations' }).waitFor()
  await notice.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Accept the invitation to Four seasons' }).click()
  await expect.poll(() => page.getByRole('button', { name: /^Photo / }).count()).toBeGreaterThan(5)

  expect(await page.getByRole('button', { name: 'New', exact: true }).count()).toBe(0)
  await dropFiles(page, FILES.slice(0, 1))
  await page
    .getByText(/cannot add|make you a writer/i)
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'Settings' }).first().click()
  await page.getByRole('heading', { name: 'Members' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Invitations' }).count()).toBe(0)
  expect(await page.getByText(ada.email).count()).toBe(0)
})
