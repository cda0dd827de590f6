import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { dropFiles, type Person, PHONE } from '../support/people.ts'
import { pictureFiles, reader, save, test, text } from '../support/post-scene.ts'
import { article, SOON } from '../support/viewer.ts'

/** Posts are written by mouse, by keyboard and by touch, and no text is lost on the way. */

async function compose(page: Page, type: 'Event' | 'Note') {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: type, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `New ${type.toLowerCase()}` })
  await text(dialog).waitFor()
  return dialog
}

test('An event with every field, written by mouse, is shown complete to its reader', async ({ at, kyoto, posts }) => {
  const other = await kyoto.as('ada').post('/api/collections', { name: 'Journeys' })
  await kyoto.as('ada').post(`/api/collections/${kyoto.collection.id}/people`, { name: 'Grandmother' })
  const { page } = await at('ada')
  const dialog = await compose(page, 'Event')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('A weekend in the hills')
  await text(dialog).click()
  await dialog.getByRole('button', { name: 'Bold' }).click()
  await page.keyboard.type('Fog')
  await dialog.getByRole('button', { name: 'Bold' }).click()
  await page.keyboard.type(' in the valley')
  await dialog.getByLabel('Kind').selectOption('celebration')
  await dialog.getByLabel('Day', { exact: true }).fill('2026-05-01')
  await dialog.getByLabel('Time (optional)').fill('09:30')
  await dialog.getByLabel('Time zone').selectOption('Asia/Tokyo')
  await dialog.getByRole('button', { name: 'Add end' }).click()
  await dialog.getByLabel('Last day').fill('2026-04-30')
  await dialog.getByText('The end must not be before the start').waitFor()
  await dialog.getByLabel('Last day').fill('2026-05-03')
  await dialog.getByLabel('Until').fill('18:00')
  await dialog.getByRole('combobox', { name: 'Search for a place' }).fill('Kyoto')
  await dialog.getByRole('option', { name: /Kyoto/ }).first().click()
  await dialog.getByRole('combobox', { name: 'Add a person' }).fill('grand')
  await dialog.getByRole('option', { name: 'Grandmother' }).click()
  await dialog.getByRole('combobox', { name: 'Add a person' }).fill('Uncle Yuki')
  await dialog.getByRole('option', { name: 'Add “Uncle Yuki”' }).click()
  await dialog.getByRole('button', { name: 'Remove Uncle Yuki' }).waitFor()
  await dialog.getByRole('checkbox', { name: 'Journeys' }).check()
  await save(dialog, 'Post')
  await article({ page } as Person, 'A weekend in the hills').waitFor(SOON)

  await expect.poll(async () => (await posts()).length, SOON).toBe(1)
  const [post] = await posts()
  expect(post).toMatchObject({
    type: 'event',
    kind: 'celebration',
    body: '<p><strong>Fog</strong> in the valley</p>',
    date_zone: 'Asia/Tokyo',
    date_precision: 'minute',
    location: { name: expect.stringContaining('Kyoto') },
  })
  expect(new Date(post?.date ?? 0).toISOString()).toBe('2026-05-01T00:30:00.000Z')
  expect(new Date(post?.ends_at ?? 0).toISOString()).toBe('2026-05-03T09:00:00.000Z')
  expect(post?.people).toHaveLength(2)
  expect(post?.collections.map(({ collection_id }) => collection_id).toSorted()).toEqual(
    [kyoto.collection.id, other.body.collection.id].toSorted(),
  )

  await page.getByRole('button', { name: 'A weekend in the hills', exact: true }).click()
  const read = reader(page, 'A weekend in the hills')
  await read.getByText('Friday, 1 May 2026, 09:30 – Sunday, 3 May 2026, 18:00, Tokyo time').waitFor()
  await read.getByRole('list', { name: 'People' }).getByText('Uncle Yuki').waitFor()
  await read.getByText(/Kyoto, Journeys|Journeys, Kyoto/).waitFor()
  expect(new URL(page.url()).searchParams.get('item')).toBe(post?.id)
  await page.keyboard.press('Escape')
  await expect.poll(() => new URL(page.url()).searchParams.get('item')).toBeNull()
})

/** Opens a new note by keys and gives it a title. The keys that follow write its text. */
async function beginNote(page: Page, title: string): Promise<Locator> {
  await page.getByRole('button', { name: 'New', exact: true }).waitFor()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'New note' })
  await text(dialog).waitFor()
  await page.keyboard.type(title)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  return dialog
}

test('A note is written with keys alone, and Ctrl-K in it makes a link instead of opening the palette', async ({ at, posts }) => {
  const { page } = await at('ada')
  const dialog = await beginNote(page, 'Things to read')
  await page.keyboard.type('## Books')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- one')
  await page.keyboard.press('Enter')
  await page.keyboard.type('two')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Control+k')
  const address = dialog.getByRole('textbox', { name: 'Link address' })
  await address.waitFor()
  expect(await page.getByRole('dialog', { name: 'Jump to anything' }).count()).toBe(0)
  await page.keyboard.type('javascript:alert(1)')
  await page.keyboard.press('Enter')
  await dialog.getByText('Enter a web address or an e-mail address.').waitFor()
  await address.fill('example.org/two')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect
    .poll(async () => (await posts())[0]?.body, SOON)
    .toBe('<h2>Books</h2><ul><li><p>one</p></li><li><p><a href="https://example.org/two">two</a></p></li></ul>')
})

test('Unlink and Cancel of the link row are pressed by Enter', async ({ at, posts }) => {
  const { page } = await at('ada')
  const dialog = await beginNote(page, 'Reading')
  await page.keyboard.type('one')
  await page.keyboard.press('Shift+Home')
  const address = dialog.getByRole('textbox', { name: 'Link address' })
  const href = () => text(dialog).locator('a').getAttribute('href')
  await page.keyboard.press('Control+k')
  await address.fill('example.org/one')
  await address.press('Enter')
  await address.waitFor({ state: 'detached' })
  expect(await href()).toBe('https://example.org/one')
  await page.keyboard.press('Control+k')
  await address.fill('example.org/two')
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).first().press('Enter')
  await address.waitFor({ state: 'detached' })
  expect(await href()).toBe('https://example.org/one')
  await page.keyboard.press('Control+k')
  await dialog.getByRole('button', { name: 'Unlink' }).press('Enter')
  await address.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+Enter')
  await expect.poll(async () => (await posts())[0]?.body, SOON).toBe('<p>one</p>')
})

test('The editor fills a phone’s screen and keeps every control within reach of a finger', async ({ kyoto, openPage, posts }) => {
  const { page } = await openPage({
    as: kyoto.as('ada'),
    at: `/collections/timeline?c=${kyoto.collection.id}`,
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
  })
  await page.getByRole('button', { name: 'New', exact: true }).tap()
  await page.getByRole('menuitem', { name: 'Event', exact: true }).tap()
  const dialog = page.getByRole('dialog', { name: 'New event' })
  await text(dialog).waitFor()
  await expect.poll(async () => (await dialog.boundingBox())?.height).toBe(PHONE.height)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  await dialog.getByRole('textbox', { name: 'Title' }).tap()
  await page.keyboard.type('By touch')
  await text(dialog).tap()
  await dialog.getByRole('button', { name: 'List', exact: true }).tap()
  await page.keyboard.type('bread')
  await dialog.getByLabel('When').selectOption('month')
  await dialog.getByLabel('Month').selectOption('March')
  await dialog.getByLabel('Year').fill('1987')
  await dialog.getByRole('button', { name: 'Post', exact: true }).tap()
  await expect.poll(async () => (await posts())[0], SOON).toMatchObject({ body: '<ul><li><p>bread</p></li></ul>', date_precision: 'month' })
  expect((await posts())[0]?.date?.slice(0, 7)).toBe('1987-03')
})

test('Pasted text keeps its words and structure and loses scripts and remote content', async ({ at, posts }) => {
  const { page } = await at('ada')
  const dialog = await compose(page, 'Note')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Pasted')
  await text(dialog).click()
  await pasteHtml(page, HOSTILE)
  await text(dialog).getByText('A heading').waitFor()
  await save(dialog, 'Post')
  await expect
    .poll(async () => (await posts())[0]?.body, SOON)
    .toBe(
      '<h2>A heading</h2><p>Plain <strong>bold</strong> and <em>slanted</em></p><ul><li><p>First</p></li><li><p>Second</p></li></ul>' +
        '<p>bad link <a href="https://example.org/">good link</a></p><p>Leaving</p><p>Bus · 9:10</p><p>Train · 11:00</p><p>All of a mail</p><p>in one cell</p><p>end</p>',
    )
  expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false)
})

/** Pastes as another program that has this on the clipboard. */
async function pasteHtml(page: Page, given: string): Promise<void> {
  await page.evaluate((html) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', html)
    clipboardData.setData('text/plain', 'plain')
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, given)
}

const NESTED =
  '<ol><li>First item<ol><li>Subitem 1.1</li><li>Subitem 1.2</li></ol></li><li>Second item<ol><li>Subitem 2.1</li></ol></li></ol>'
const CODE = '<p>let a = 1<br>  if (a) {<br><br>    b()</p>'

/** The clipboard of each program, and the text it should become. A number stands for that many spaces that do not collapse. */
const PASTED: [program: string, html: string, expected: string][] = [
  [
    'Word',
    wordItems(
      [1, '1.', 'First item'],
      [2, 'a.', 'Subitem 1.1'],
      [2, 'b.', 'Subitem 1.2'],
      [1, '2.', 'Second item'],
      [2, 'i)', 'Subitem 2.1'],
    ),
    NESTED,
  ],
  [
    'Word, with bullets and other text between',
    `${wordItems([1, '·', 'one'], [3, 'o', 'deep'])}<p class=MsoNormal>between<o:p></o:p></p>${wordItems([1, '1.', 'first'], [1, '§', 'bullet'])}`,
    '<ul><li>one<ul><li>deep</li></ul></li></ul><p>between</p><ol><li>first</li></ol><ul><li>bullet</li></ul>',
  ],
  ['Word on the web', webItems([1, 'First item'], [2, 'Subitem 1.1'], [2, 'Subitem 1.2'], [1, 'Second item'], [2, 'Subitem 2.1']), NESTED],
  [
    'Google Docs',
    '<b style="font-weight:normal" id="docs-internal-guid-2"><ol><li dir="ltr" aria-level="1"><p dir="ltr"><span style="white-space:pre-wrap">First item</span></p></li><ol><li aria-level="2"><p>Subitem 1.1</p></li><li aria-level="2"><p>Subitem 1.2</p></li></ol><li aria-level="1"><p>Second item</p></li><ol><li aria-level="2"><p>Subitem 2.1</p></li></ol></ol></b>',
    NESTED,
  ],
  [
    'Notion',
    '<ol type="1" start="1"><li>First item<ol start="1"><li>Subitem 1.1</li></ol><ol start="2"><li>Subitem 1.2</li></ol></li></ol>\n<!-- notionvc: 1 --><ol start="2"><li>Second item<ol><li>Subitem 2.1</li></ol></li></ol>',
    NESTED,
  ],
  [
    'Word, with a further paragraph in an item',
    `${wordItems([1, '1.', 'one'])}<p class=MsoListParagraphCxSpMiddle>more of it<o:p></o:p></p>${wordItems([1, '2.', 'two'])}`,
    '<ol><li>one<p>more of it</p></li><li>two</li></ol>',
  ],
  [
    'Google Docs, with styles',
    '<p><span style="white-space:pre-wrap">Moss</span><span style="font-weight:700;white-space:pre-wrap"> and rain</span><span style="white-space:pre-wrap"> in  May</span></p>',
    '<p>Moss<strong> and rain</strong> in  May</p>',
  ],
  ['a chat in Chrome', '<span style="white-space-collapse: preserve;">Moss\nand rain</span>', '<p>Moss<br>and rain</p>'],
  ['code of Notion', '<pre class="code"><code class="language-js">let a = 1\n  if (a) {\n\n    b()\n</code></pre>', CODE],
  [
    'code of VS Code',
    '<div style="white-space: pre;"><div><span style="color:#f00">let</span><span> a</span></div><div><span>  b()</span></div></div>',
    '<p>let a</p><p>  b()</p>',
  ],
]

function wordItems(...items: [level: number, marker: string, text: string][]): string {
  return items
    .map(
      ([level, marker, text]) =>
        `<p class=MsoListParagraphCxSpMiddle style='margin-left:36pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>${text}<o:p></o:p></p>`,
    )
    .join('')
}

function webItems(...items: [level: number, text: string][]): string {
  return items
    .map(
      ([level, text]) =>
        `<div class="ListContainerWrapper SCXW1"><ol class="NumberListStyle1" start="1"><li data-leveltext="%1." data-aria-level="${level}"><p class="Paragraph"><span>${text}</span></p></li></ol></div>`,
    )
    .join('')
}

test('Lists within lists, numbers and lines of code stay when they are pasted from other programs', async ({ at, posts }) => {
  const { page } = await at('ada')
  const dialog = await compose(page, 'Note')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Pasted lists')
  for (const [program, given, expected] of PASTED) {
    await text(dialog).click()
    await page.keyboard.press('Control+A')
    await pasteHtml(page, `<html><body><!--StartFragment-->${given}<!--EndFragment--></body></html>`)
    // Items of the editor hold paragraphs, and an empty line a break of its own.
    const pasted = async () =>
      (await text(dialog).innerHTML()).replace(/<(?:br|img) class="[^"]*"[^>]*>/g, '').replace(/<li><p>(.*?)<\/p>/g, '<li>$1')
    await expect.poll(async () => (await pasted()).replaceAll('&nbsp;', ' '), { message: program, ...SOON }).toBe(expected)
  }
  await save(dialog, 'Post')
  await expect.poll(async () => (await posts())[0]?.body, SOON).toContain('b()</p>')
})

const HOSTILE = `<html><body><b style="font-weight:normal" id="docs-internal-guid-1"><style>p{color:red}</style>
<h2 onclick="globalThis.pwned=1" style="position:fixed">A heading</h2><p class="c1">Plain <span style="font-weight:700">bold</span> and
<span style="font-style:italic">slanted</span></p><p class="MsoListParagraph"><span style="mso-list:Ignore">·  </span>First</p><p class="MsoListParagraph"><span style="mso-list:Ignore">·  </span>Second</p><p><a href="javascript:globalThis.pwned=1">bad link</a> <a href="https://example.org/">good link</a></p>
<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script><iframe src="https://example.org"></iframe><svg onload="globalThis.pwned=1"></svg>
<table><caption>Leaving</caption><tbody><tr><td><p>Bus</p></td><td>9:10</td></tr><tr><td>Train</td><td>11:00</td></tr><tr><td> </td><td></td></tr>
<tr><td><p>All of a mail</p><p>in one cell</p></td></tr></tbody></table><p>end</p></b></body></html>`

test('A town or name typed but not chosen is kept and named, and removing it returns the focus to its field', async ({ at }) => {
  const { page } = await at('ada')
  const dialog = await compose(page, 'Note')
  const place = dialog.getByRole('combobox', { name: /^Search for / })
  const person = dialog.getByRole('combobox', { name: 'Add a person' })
  await place.fill('Kyot')
  await place.press('Tab')
  await dialog.getByText('“Kyot” is not added: choose a town from the list.').waitFor()
  await person.fill('Grandm')
  await dialog.getByRole('textbox', { name: 'Title' }).click()
  await dialog.getByText('“Grandm” is not added: choose a person from the list.').waitFor()
  expect([await place.inputValue(), await person.inputValue()]).toEqual(['Kyot', 'Grandm'])
  expect(await dialog.getByRole('option', { name: /Kyot|Grandm/ }).count()).toBe(0)
  await place.focus()
  await dialog.getByRole('option', { name: 'Kyoto, Japan' }).click()
  await person.focus()
  await dialog.getByRole('option', { name: 'Add “Grandm”' }).click()
  await dialog.getByRole('button', { name: 'Clear place' }).click()
  await expect.poll(() => place.evaluate((field) => field === document.activeElement)).toBe(true)
  await dialog.getByRole('button', { name: 'Remove Grandm' }).click()
  await expect.poll(() => person.evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await dialog.getByText('is not added').count()).toBe(0)
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Without anybody')
  await person.fill('Nobody')
  // The message about it does not move the buttons.
  await save(dialog, 'Post')
})

test('A draft survives a reload, and Esc asks before discarding it', async ({ at }) => {
  const { page } = await at('ada')
  const dialog = await compose(page, 'Note')
  await text(dialog).fill('Half a thought')
  await page.reload()
  const again = await compose(page, 'Note')
  await again.getByText('Your draft has been restored.').waitFor()
  await text(again).getByText('Half a thought').waitFor()
  await text(again).press('End')
  await page.keyboard.type(' more')
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await again.getByRole('button', { name: 'Start over' }).click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await text(again).getByText('Half a thought more').waitFor()
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await again.waitFor({ state: 'detached' })
  const fresh = await compose(page, 'Note')
  expect(await fresh.getByText('Your draft has been restored.').count()).toBe(0)
})

test('Of more files than a post can have, those that fit are added to it, and the limit is shown', async ({ at, folder }) => {
  const { page } = await at('ada')
  await page.route('**/api/asset', () => undefined)
  const dialog = await compose(page, 'Note')
  const files = Array.from({ length: 102 }, (_, at) => path.join(folder, `${at}.txt`))
  for (const file of files) await writeFile(file, file)
  await dropFiles(page, files)
  await dialog.getByText('100 in their order').waitFor(SOON)
  await dialog.getByText('A post can have at most 100 photos').waitFor()
  await page.getByRole('listitem').getByText('A post can have at most 100 photos').waitFor(SOON)
})

test('A draft continued and posted in two tabs becomes two posts, so that neither text is lost', async ({ at, posts }) => {
  const { page } = await at('ada')
  const dialog = await compose(page, 'Note')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Half a thought')
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  const same = await compose(tab, 'Note')
  await same.getByText('Your draft has been restored.').waitFor()
  await same.getByRole('textbox', { name: 'Title' }).fill('Half a thought, in short')
  await save(same, 'Post')
  await expect.poll(async () => (await posts()).length, SOON).toBe(1)
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Half a thought, at length')
  await save(dialog, 'Post')
  const titles = async () => (await posts()).map(({ title }) => title).toSorted()
  await expect.poll(titles, SOON).toEqual(['Half a thought, at length', 'Half a thought, in short'])
})

test('Photos dropped into the editor are posted in the order they were arranged', async ({ at, posts }) => {
  const { page } = await at('ada')
  const dialog = await compose(page, 'Note')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Three pictures')
  await dropFiles(page, await pictureFiles(3))
  const tile = (n: number) => dialog.getByRole('button', { name: new RegExp(`, ${n}(, the cover)?(,|$)`) })
  await tile(3).waitFor()
  const last = (await tile(3).getAttribute('aria-label'))?.split(',')[0]
  await tile(3).focus()
  await page.keyboard.press('Home')
  await dialog.getByRole('button', { name: new RegExp(`^${last}, 1, the cover`) }).waitFor()
  // Saved before all of them are there.
  await save(dialog, 'Post')
  await expect.poll(async () => (await posts())[0]?.assets.map(({ name }) => name), { timeout: 60_000 }).toHaveLength(3)
  expect((await posts())[0]?.assets[0]?.name).toBe(last)
  await page.getByRole('button', { name: 'Three pictures', exact: true }).click()
  const read = reader(page, 'Three pictures')
  await read
    .getByRole('button', { name: /^Open / })
    .first()
    .click()
  await expect.poll(() => new URL(page.url()).searchParams.get('photo')).toBeTruthy()
  await page.keyboard.press('Escape')
  await read.waitFor()
})

test.for([0, 1])(
  'A duplicate photo and %i more are in a post that was sent before the upload was recognised as a duplicate',
  async (more, { at, kyoto, posts }) => {
    const { page } = await at('ada')
    const [known, fresh] = await pictureFiles(2)
    await dropFiles(page, [known ?? ''])
    const assets = async () => (await kyoto.as('ada').get(`/api/asset?collection_id=${kyoto.collection.id}`)).body.assets
    await expect.poll(async () => (await assets()).length, SOON).toBe(1)
    const [there] = await assets()
    const release = Promise.withResolvers<void>()
    await page.route('**/api/asset', async (route) => {
      await release.promise
      await route.continue()
    })
    const dialog = await compose(page, 'Note')
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Seen before')
    const dropped = [known ?? '', fresh ?? ''].slice(0, 1 + more)
    await dropFiles(page, dropped)
    await dialog.getByRole('button', { name: new RegExp(`, ${dropped.length}(,|$)`) }).waitFor()
    await save(dialog, 'Post')
    await expect.poll(async () => (await posts()).length, SOON).toBe(1)
    release.resolve()
    await expect.poll(async () => (await posts())[0]?.assets.length, SOON).toBe(dropped.length)
    expect((await posts())[0]?.assets[0]?.id).toBe(there.id)
  },
)
