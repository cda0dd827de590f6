import type { Locator, Page } from 'playwright-core'
import { vi } from 'vitest'
import { full, heading, photo, type Screen, selectAll, timeline } from './stage.ts'

/** The overlay that a key opens. The key is pressed again if the page was too busy. */
const pressing = (keys: string, shown: (page: Page) => Locator) => async (page: Page) => {
  await timeline(page)
  await vi.waitFor(async () => {
    await page.keyboard.press(keys)
    await shown(page).waitFor({ timeout: 5_000 })
  }, 20_000)
}

const bulk = (action: string, field: string) => async (page: Page) => {
  await selectAll(page)
  await page.getByRole('toolbar').getByRole('button', { name: action }).click()
  await page.getByLabel(field).first().waitFor()
}

/** Dialogs over a view, and the settings. */
export const WORK: readonly Screen[] = [
  { name: 'bulk-date', who: 'ada', path: full('media'), open: bulk('Date', 'Time zone') },
  { name: 'bulk-place', who: 'ada', path: full('media'), open: bulk('Place', 'Search for a place') },
  { name: 'bulk-people', who: 'ada', path: full('media'), open: bulk('People', 'Find or add a person') },
  {
    name: 'bulk-collections',
    who: 'ada',
    path: full('media'),
    open: async (page) => {
      await selectAll(page)
      await page.getByRole('toolbar').getByRole('button', { name: 'Collections' }).click()
      await page.getByRole('menuitem', { name: 'Add to collections…' }).click()
      await page.getByLabel('Find a collection').first().waitFor()
    },
  },
  {
    name: 'trash',
    who: 'ada',
    path: `${full('settings')}&trash=open`,
    open: (page) => page.getByRole('list', { name: 'Deleted items' }).waitFor(),
  },
  {
    name: 'lightbox',
    who: 'ada',
    drawsMap: true,
    path: full('media'),
    open: async (page) => {
      await photo(page).click()
      await page.getByRole('button', { name: 'Information' }).click()
      await page.getByRole('complementary', { name: 'Information' }).getByText(/\.jpg/).first().waitFor()
    },
  },
  {
    name: 'filter-choices',
    who: 'ada',
    path: full('timeline'),
    open: async (page) => {
      await timeline(page)
      await page
        .getByRole('button', { name: /^(Filters|Search and filters)/ })
        .filter({ visible: true })
        .click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'palette',
    opensAnew: true,
    who: 'ada',
    path: full('timeline'),
    open: async (page) => {
      await pressing('ControlOrMeta+k', (all) => all.getByRole('combobox', { name: 'Jump to anything' }))(page)
      await page.keyboard.type('hill')
      await page.getByRole('option', { name: /A weekend in the hills/ }).waitFor()
    },
  },
  {
    name: 'shortcuts',
    who: 'ada',
    path: full('timeline'),
    open: pressing('?', (page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })),
  },
  {
    name: 'new-post',
    who: 'ada',
    path: full('timeline'),
    open: async (page) => {
      await page.getByRole('button', { name: 'New', exact: true }).first().click()
      await page.getByRole('menuitem', { name: 'Note' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'import',
    who: 'ada',
    path: full('timeline'),
    open: async (page) => {
      await page.getByRole('button', { name: 'New', exact: true }).first().click()
      await page.getByRole('menuitem', { name: 'Import…' }).click()
      await page.getByRole('dialog', { name: 'Import' }).getByRole('button', { name: 'Choose files', exact: true }).waitFor()
    },
  },
  { name: 'share-nothing', who: 'ada', path: '/share', open: (page) => page.getByText('Nothing was shared').waitFor() },
  {
    name: 'edit-post',
    who: 'ada',
    path: `${full('timeline')}&post=event`,
    open: async (page) => {
      const post = page.getByRole('article', { name: 'A weekend in the hills' })
      await post.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
      await page.getByRole('button', { name: /the cover/ }).click()
    },
  },
  {
    name: 'read-post',
    who: 'ada',
    path: `${full('timeline')}&post=event`,
    open: async (page) => {
      await page.getByRole('button', { name: 'A weekend in the hills', exact: true }).click()
      await page.getByRole('dialog', { name: 'A weekend in the hills' }).waitFor()
    },
  },
  {
    name: 'read-post-reader',
    who: 'cy',
    path: `${full('timeline')}&post=event`,
    open: async (page) => {
      await page.getByRole('button', { name: 'A weekend in the hills', exact: true }).click()
      await page.getByRole('button', { name: 'Edit' }).waitFor()
    },
  },
  {
    name: 'lightbox-edit',
    who: 'ada',
    path: full('media'),
    open: async (page) => {
      await photo(page).click()
      await page.getByRole('button', { name: 'Information', pressed: false }).click()
      const panel = page.getByRole('complementary', { name: 'Information' })
      await panel.getByRole('button', { name: 'Edit' }).click()
      await panel.getByRole('textbox', { name: 'Description' }).waitFor()
    },
  },
  { name: 'settings', who: 'ada', path: full('settings'), open: heading('Members') },
  { name: 'settings-reader', who: 'cy', path: full('settings'), open: heading('Members') },
  {
    name: 'invite',
    who: 'ada',
    path: full('settings'),
    open: async (page) => {
      await page.getByRole('button', { name: 'Invite someone' }).first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'merge',
    opensAnew: true,
    who: 'ada',
    path: full('settings'),
    open: async (page) => {
      await page.getByRole('button', { name: 'More for Grandmother' }).click()
      await page.getByRole('menuitem', { name: 'Merge into…' }).click()
      await page.getByRole('dialog').getByText('Granny', { exact: true }).click()
      await page.getByText(/become Granny with/).waitFor()
    },
  },
]
