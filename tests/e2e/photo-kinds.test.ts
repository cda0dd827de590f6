import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, inject } from 'vitest'
import { findChromium } from '../../dev/chromium.ts'
import { localSql } from '../../dev/neon.ts'
import { test as app } from '../support/fixtures.ts'
import { largeJpeg } from '../support/large-jpeg.ts'
import { dropFiles } from '../support/people.ts'
import { world } from '../support/world.ts'

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/photos')
const PICTURE = path.resolve(import.meta.dirname, '../../dev/demo/pictures/blue-hour-on-the-lake.jpg')

const test = app
  // The headless shell keeps no screen awake.
  .extend('findBrowser', { scope: 'file' }, () => findChromium)
  .extend('kyoto', () => world({ bea: 'read' }))
  .extend('drop', ({ kyoto, openPage }) => async (files: string[]) => {
    const { page } = await openPage({ as: kyoto.as('ada'), at: `/collections/media?c=${kyoto.collection.id}` })
    await page.getByText('No photos yet. Drop some anywhere.').waitFor()
    await dropFiles(page, files)
    return page
  })
  .extend('stored', ({ kyoto }) => async (count: number) => {
    const rows = () =>
      localSql(
        inject('stack').databaseUrl,
      )`select name, type, width, height, date::text, date_precision, alt, thumbhash is not null as shown, duration
        from assets where user_id = ${kyoto.as('ada').id} and status = 'ready'`
    await expect.poll(async () => (await rows()).length, { timeout: 90_000 }).toBe(count)
    return new Map((await rows()).map((row) => [String(row.name), row]))
  })

test('Pictures of every kind that a phone or a camera makes are seen by another member, upright and of their size', async ({
  drop,
  folder,
  kyoto,
  openPage,
  stored,
}) => {
  // A raw file is a TIFF with a JPEG to be shown by.
  const raw = path.join(folder, 'DSC_0042.NEF')
  await writeFile(raw, Buffer.concat([await readFile(path.join(FIXTURES, 'scan.tif')), await readFile(PICTURE)]))
  const huge = path.join(folder, 'huge.jpg')
  await writeFile(huge, largeJpeg(16_320, 12_240))
  const names = (await readdir(FIXTURES)).filter((name) => name !== 'README.md')
  await drop([...names.map((name) => path.join(FIXTURES, name)), raw, huge])
  const rows = await stored(names.length + 2)
  expect(
    Object.fromEntries([...rows].map(([name, { width, height, shown }]) => [name, shown ? `${width}×${height}` : 'no picture'])),
  ).toEqual({
    'DSC_0042.NEF': expect.stringMatching(/^\d{3,4}×\d{3,4}$/),
    'burst.jpg': '96×72',
    'exif.webp': '320×240',
    'huge.jpg': '16320×12240',
    'iptc.jpg': '96×72',
    'modified.jpg': '96×72',
    'phone.heic': '320×240',
    'picture.jxl': '96×72',
    'place.heic': '320×240',
    'scan.tif': '72×96',
    'screenshot.png': '96×72',
    'xmp.jpg': '96×72',
  })
  const at = '+00'
  expect(Object.fromEntries([...rows].map(([name, { date, alt }]) => [name, [date, alt]]))).toMatchObject({
    'burst.jpg': [`2023-05-01 10:00:00.035${at}`, 'Größe: 3 m'],
    'exif.webp': [`2024-02-29 17:00:00${at}`, null],
    'huge.jpg': [null, null],
    'iptc.jpg': [expect.stringMatching(/^1978-07-15/), 'Café am See'],
    'phone.heic': [`2024-10-01 07:00:00${at}`, null],
    'picture.jxl': [`2024-02-29 17:00:00${at}`, null],
    'scan.tif': [expect.stringMatching(/^1989-05-05/), null],
    'screenshot.png': [`2021-12-27 14:01:00${at}`, null],
    'xmp.jpg': [expect.stringMatching(/^1989-05-05/), 'Lake at noon'],
  })
  const { page } = await openPage({ as: kyoto.as('bea'), at: `/collections/media?c=${kyoto.collection.id}` })
  const drawn = () =>
    page
      .locator('main img')
      .evaluateAll((images) => images.filter((image) => image instanceof HTMLImageElement && image.naturalWidth > 0).length)
  await expect.poll(drawn, { timeout: 30_000 }).toBe(rows.size)
})

test('A photo without a date of its own is dated by its name, and others are told so', async ({
  drop,
  folder,
  kyoto,
  openPage,
  stored,
}) => {
  const names = ['IMG-20190601-WA0001.jpg', 'Screenshot_20200102-030405.png', 'lake.webp']
  const plain = largeJpeg(64, 48)
  await writeFile(path.join(folder, names[0] ?? ''), plain)
  await writeFile(path.join(folder, names[1] ?? ''), largeJpeg(64, 56))
  await writeFile(path.join(folder, names[2] ?? ''), largeJpeg(64, 64))
  const page = await drop(names.map((name) => path.join(folder, name)))
  const rows = await stored(3)
  expect(rows.get('IMG-20190601-WA0001.jpg')).toMatchObject({ date: expect.stringMatching(/^2019-06-01/), date_precision: 'day' })
  expect(rows.get('Screenshot_20200102-030405.png')).toMatchObject({
    date: expect.stringMatching(/^2020-01-0[12] /),
    date_precision: 'minute',
  })
  expect(rows.get('lake.webp')).toMatchObject({ date: null, date_precision: 'unknown' })
  const uploads = page.getByRole('region', { name: 'Uploads' })
  await expect.poll(() => uploads.count()).toBe(0)
  const bea = await openPage({ as: kyoto.as('bea'), at: `/collections/media?c=${kyoto.collection.id}` })
  await bea.page.getByRole('button', { name: 'Photo IMG-20190601-WA0001.jpg, 1 June 2019' }).click()
  await bea.page.getByRole('button', { name: 'Information' }).click()
  const facts = bea.page.getByRole('complementary', { name: 'Information' })
  await facts.getByText("From the file's name").waitFor()
})

test("The time of a file is offered to the editor of a photo without a date, and is nobody's date before", async ({
  drop,
  folder,
  stored,
}) => {
  const file = path.join(folder, 'lake.jpg')
  await writeFile(file, largeJpeg(72, 48))
  await utimes(file, new Date(), new Date('2024-05-03T12:20:00Z'))
  const page = await drop([file])
  await stored(1)
  await page.getByRole('button', { name: 'Photo lake.jpg', exact: true }).click()
  await page.getByRole('button', { name: 'Information' }).click()
  const facts = page.getByRole('complementary', { name: 'Information' })
  await facts.getByText('No date').waitFor()
  await facts.getByRole('button', { name: 'Edit' }).click()
  await facts.getByRole('button', { name: "Use the file's time, 3 May 2024, 14:20" }).click()
  expect((await stored(1)).get('lake.jpg')).toMatchObject({ date: null })
  await facts.getByRole('button', { name: 'Save' }).click()
  await facts.getByText('14:20').waitFor()
  await expect.poll(async () => (await stored(1)).get('lake.jpg')?.date).toBe('2024-05-03 12:20:00+00')
})

test('The list of uploads says which file has no picture, until it is dismissed', async ({ drop, folder, stored }) => {
  const file = path.join(folder, 'broken.heic')
  await writeFile(file, (await readFile(path.join(FIXTURES, 'phone.heic'))).subarray(0, 900))
  const page = await drop([file, path.join(FIXTURES, 'burst.jpg')])
  expect((await stored(2)).get('broken.heic')).toMatchObject({ shown: false })
  const uploads = page.getByRole('region', { name: 'Uploads' })
  await uploads.getByText('1 without a picture').waitFor()
  await uploads.getByRole('button', { name: 'Show list' }).click()
  await uploads.getByText('Damaged, or of a kind that cannot be shown').waitFor()
  await uploads.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => uploads.count()).toBe(0)
})

test('A picture that moves shows its original in the viewer, which moves', async ({ drop, stored }) => {
  const moving = path.resolve(FIXTURES, '../moving')
  const page = await drop(['webp', 'png', 'avif'].map((kind) => path.join(moving, `moving.${kind}`)))
  for (const { duration } of (await stored(3)).values()) expect(Number(duration)).toBeCloseTo(1, 1)
  for (const kind of ['webp', 'png', 'avif']) {
    await page.getByRole('button', { name: new RegExp(`^Photo .*moving\\.${kind}`) }).click()
    const shown = page.getByRole('dialog').getByRole('img', { name: `moving.${kind}` })
    await expect.poll(() => shown.first().getAttribute('src')).toMatch(/\/file\?/)
    await page.keyboard.press('Escape')
  }
})

test('Damaged pictures of all kinds arrive, and those after them are read as ever', async ({ drop, folder, stored }) => {
  const files: string[] = []
  for (const name of ['phone.heic', 'picture.jxl', 'scan.tif', 'exif.webp']) {
    const bytes = await readFile(path.join(FIXTURES, name))
    for (const cut of [0.4, 0.7]) {
      const file = path.join(folder, `${cut}-${name}`)
      await writeFile(file, bytes.subarray(0, Math.floor(bytes.length * cut)))
      files.push(file)
    }
  }
  // A TIFF whose only page is followed by itself.
  const circle = await readFile(path.join(FIXTURES, 'scan.tif'))
  const page = circle.readUInt32LE(4)
  circle.writeUInt32LE(page, page + 2 + 12 * circle.readUInt16LE(page))
  files.push(path.join(folder, 'circle.tif'))
  await writeFile(path.join(folder, 'circle.tif'), circle)
  await drop([...files, ...['phone.heic', 'picture.jxl'].map((name) => path.join(FIXTURES, name))])
  const rows = await stored(files.length + 2)
  for (const name of ['phone.heic', 'picture.jxl', 'circle.tif']) expect(rows.get(name), name).toMatchObject({ shown: true })
})

test('A picture whose decoder cannot be loaded waits for the connection, and is then seen', async ({
  expectedErrors,
  kyoto,
  openPage,
  stored,
}) => {
  expectedErrors.push(/ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  const { page, context } = await openPage({ as: kyoto.as('ada'), at: `/collections/media?c=${kyoto.collection.id}` })
  await page.getByText('No photos yet. Drop some anywhere.').waitFor()
  await context.route(/\.wasm$/, (route) => route.abort())
  await dropFiles(page, [path.join(FIXTURES, 'phone.heic')])
  const uploads = page.getByRole('region', { name: 'Uploads' })
  await uploads.getByText(/Loading what reads it|Waiting for the connection/).waitFor()
  await context.unroute(/\.wasm$/)
  expect((await stored(1)).get('phone.heic')).toMatchObject({ shown: true, width: 320, height: 240 })
})

test('A decoder is loaded for the first file that needs it, and for no other', async ({ kyoto, openPage, stored }) => {
  const { page, context } = await openPage({ as: kyoto.as('ada'), at: `/collections/media?c=${kyoto.collection.id}` })
  await page.getByText('No photos yet. Drop some anywhere.').waitFor()
  const decoders: string[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('.wasm')) decoders.push(request.url())
  })
  await dropFiles(
    page,
    ['burst.jpg', 'exif.webp', 'screenshot.png'].map((name) => path.join(FIXTURES, name)),
  )
  await stored(3)
  expect(decoders).toEqual([])
  await dropFiles(page, [path.join(FIXTURES, 'picture.jxl')])
  await stored(4)
  expect(decoders).toHaveLength(1)
})

test('The screen stays awake while files are sent, and no longer', async ({ kyoto, openPage, stored }) => {
  const { page } = await openPage({ as: kyoto.as('ada'), at: `/collections/media?c=${kyoto.collection.id}` })
  await page.getByText('No photos yet. Drop some anywhere.').waitFor()
  // The browser tells no one who holds a lock, so its own answers are kept.
  await page.evaluate(() => {
    const held: WakeLockSentinel[] = []
    Object.assign(globalThis, { held })
    const request = navigator.wakeLock.request.bind(navigator.wakeLock)
    navigator.wakeLock.request = async (type) => {
      const lock = await request(type)
      held.push(lock)
      return lock
    }
  })
  await dropFiles(page, [path.join(FIXTURES, 'burst.jpg'), path.join(FIXTURES, 'exif.webp')])
  await stored(2)
  const released = () => page.evaluate(() => (globalThis as unknown as { held: WakeLockSentinel[] }).held.map((lock) => lock.released))
  await expect.poll(released).not.toEqual([])
  await expect.poll(async () => (await released()).every(Boolean)).toBe(true)
})
