import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { vi } from 'vitest'
import { test as app } from './fixtures.ts'
import { PHONE } from './people.ts'
import { tabOnto } from './reach.ts'
import type { Actor } from './world.ts'

/** A way to use the app, from which a test of what it does need not know. */
export interface Way {
  name: string
  options: BrowserContextOptions
  /** A button, a link, a box to tick, or one of several to choose from. */
  press: (thing: Locator) => Promise<void>
  /** From the menu of a button. */
  choose: (button: Locator, item: string | RegExp) => Promise<void>
  /** Into a field, instead of what is in it. */
  write: (field: Locator, text: string) => Promise<void>
  /** From a list that the browser draws. */
  select: (list: Locator, label: string) => Promise<void>
}

type Pointing = (thing: Locator) => Promise<void>

const pointing = (press: Pointing): Omit<Way, 'name' | 'options'> => ({
  press,
  choose: async (button, name) => {
    await press(button)
    await press(button.page().getByRole('menuitem', { name }))
  },
  write: (field, text) => field.fill(text),
  select: async (list, label) => {
    await list.selectOption(label)
  },
})

const focused = (thing: Locator) => thing.evaluate((element) => element === document.activeElement)

/** Arrows lead within a menu or a group of radio buttons, and the focus moves a moment after the key. */
async function arrowOnto(thing: Locator): Promise<void> {
  const page = thing.page()
  for (let press = 0; !(await focused(thing)); press++) {
    if (press > 40) throw new Error(`The arrows do not lead to ${thing}`)
    const here = await page.evaluateHandle(() => document.activeElement)
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction((before) => document.activeElement !== before, here, { timeout: 5_000 })
  }
}

const keys: Omit<Way, 'name' | 'options'> = {
  press: async (thing) => {
    const page = thing.page()
    await thing.waitFor()
    const role = await thing.evaluate((element: HTMLInputElement) => element.getAttribute('role') ?? element.type)
    if (role === 'radio') {
      const group = thing.locator('xpath=ancestor::*[@role="radiogroup" or self::fieldset][1]')
      await tabOnto(group)
      await arrowOnto(thing)
      return page.keyboard.press('Space')
    }
    await tabOnto(thing)
    await page.keyboard.press(role === 'checkbox' || role === 'switch' ? 'Space' : 'Enter')
  },
  choose: async (button, name) => {
    const page = button.page()
    await keys.press(button)
    await page.locator('[role^=menuitem]:focus').waitFor()
    await arrowOnto(page.getByRole('menuitem', { name }))
    await page.keyboard.press('Enter')
  },
  write: async (field, text) => {
    await field.waitFor()
    await tabOnto(field)
    await field.page().keyboard.press('ControlOrMeta+a')
    await field.page().keyboard.type(text)
  },
  select: async (list, label) => {
    await list.waitFor()
    await tabOnto(list)
    // One letter: what is chosen by it is saved at once, and the next one may come too late to belong to it.
    await list.page().keyboard.press(label.charAt(0))
    await vi.waitFor(async () => {
      const chosen = await list.evaluate((element: HTMLSelectElement) => element.selectedOptions[0]?.label)
      if (chosen !== label) throw new Error(`${label} is not chosen, but ${chosen}`)
    }, 20_000)
  },
}

/** What a pointer meets: of a box to tick that a label paints anew, the label. */
async function faceOf(thing: Locator): Promise<Locator> {
  const label = thing.locator('xpath=self::input/ancestor::label[1]')
  await thing.waitFor()
  return (await label.count()) > 0 ? label : thing
}

const mouse = pointing(async (thing) => (await faceOf(thing)).click())
const finger = pointing(async (thing) => (await faceOf(thing)).tap())

export const WAYS: readonly Way[] = [
  { name: 'a mouse', options: {}, ...mouse },
  // 1440 × 900 as a page sees them that is shown twice as large.
  { name: 'a mouse at 200 %', options: { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 }, ...mouse },
  { name: 'keys alone', options: {}, ...keys },
  { name: 'a finger', options: { viewport: PHONE, hasTouch: true, isMobile: true }, ...finger },
]

/** Somebody at an address, who does everything in this way and without motion. */
export const test = app.extend('enter', ({ openPage }) => ({ options }: Way, as: Actor, at: string) => {
  return openPage({ as, at, reducedMotion: 'reduce', ...options })
})

/** The topmost layer, or the page. */
export const front = (page: Page): Locator => page.getByRole('dialog').last()
