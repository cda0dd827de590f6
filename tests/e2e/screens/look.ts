import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { LANGUAGE_COOKIE, PSEUDO } from '../../../contract/language/languages.ts'
import { MAP_ARGS } from '../../support/browser.ts'
import { test as app } from '../../support/fixtures.ts'
import { axeViolations, DESKTOP, launchBrowser, PHONE } from '../../support/people.ts'
import { writeContactSheet } from './contact-sheet.ts'
import { faultsInPseudo, speak } from './pseudo.ts'
import { cast, type Screen, setStage, settled, still } from './stage.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../screens')
/** Screens are only drawn, in these, for those who read a translation in its place: `SCREEN_LANGUAGES=de,ja`. */
const LANGUAGES = process.env.SCREEN_LANGUAGES?.split(',') ?? []

/** The window as the page sees it at 200 %, and colours in which all of it can be read: each screen in the next one. */
export const ON_DESKTOP: Look = {
  size: 'desktop',
  viewport: DESKTOP,
  enlarged: { width: 720, height: 450 },
  primaries: ['red', 'yellow', 'teal', 'violet', 'black'],
}
/** The narrowest window that has to do (WCAG 1.4.10). */
export const ON_PHONE: Look = { size: 'phone', viewport: PHONE, enlarged: { width: 320, height: 640 } }

interface Look {
  size: 'desktop' | 'phone'
  viewport: { width: number; height: number }
  enlarged: { width: number; height: number }
  primaries?: readonly string[]
}

/** Each screen at one size, light and dark: axe finds nothing, and screens/index.html shows a picture of it. */
export function lookAtScreens({ size, viewport, enlarged, primaries = [] }: Look, screens: readonly Screen[]): void {
  const options = { viewport, reducedMotion: 'reduce', hasTouch: size === 'phone' } as const
  const test = app
    .extend('stage', { scope: 'file' }, () => setStage())
    .extend('people', { scope: 'file' }, ({ browser, stage }, { onCleanup }) => {
      const people = cast(browser, stage, options)
      onCleanup(people.close)
      return people
    })
    /** In a browser that draws maps, in software, and everything else slowly. */
    .extend('mapPeople', { scope: 'file' }, async ({ stage }, { onCleanup }) => {
      const browser = await launchBrowser(MAP_ARGS)
      onCleanup(() => browser.close())
      return cast(browser, stage, options)
    })

  // The stage takes longer to set than a screen to look at.
  test.beforeAll(async ({ stage: _ }) => void (await mkdir(FOLDER, { recursive: true })), 300_000)
  test.afterAll(() => writeContactSheet(FOLDER))

  test.for(LANGUAGES.flatMap((language) => screens.map((screen) => ({ language, screen, name: screen.name }))))(
    'The screen $name is drawn in $language',
    async ({ language, screen }, { mapPeople, people }) => {
      const those = screen.drawsMap ? mapPeople : people
      const { page } = await those.as(screen.who)
      page.setDefaultTimeout(10_000)
      try {
        await those.show(screen, language)
      } finally {
        await picture(page, `${screen.name}-${size}-${language}`)
        await calm(page)
      }
    },
  )
  if (LANGUAGES.length > 0) return

  test.for(screens)(
    'The screen $name has no axe violations in light or dark and fits when enlarged',
    async (screen, { mapPeople, people }) => {
      const nth = screens.indexOf(screen)
      const primary = primaries[nth % primaries.length]
      // The number of primaries is odd, so each is looked at in both schemes.
      const colorScheme = nth % 2 ? 'light' : 'dark'
      const those = screen.drawsMap ? mapPeople : people
      const { page, errors } = await those.as(screen.who)
      await page.emulateMedia({ colorScheme: 'light' })
      try {
        await those.show(screen)
        expect(await axeViolations(page)).toEqual([])
        await picture(page, `${screen.name}-${size}-light`)
        await page.emulateMedia({ colorScheme: 'dark' })
        await settled(page)
        expect(await axeViolations(page, ['color-contrast'])).toEqual([])
        await picture(page, `${screen.name}-${size}-dark`)
        const layers = await overlays(page)
        if (primary) expect(await unreadable(page, primary, colorScheme)).toEqual([])
        await page.setViewportSize(enlarged)
        await expect.poll(() => outside(page)).toEqual([])
        await page.setViewportSize(viewport)
        if (!screen.keepsEnglish) {
          if (!screen.opensAnew) await speak(page, PSEUDO)
          // The app is drawn anew, which closes menus and dialogs.
          if (screen.opensAnew || (await overlays(page)) < layers) {
            await calm(page)
            await those.show(screen, PSEUDO)
          }
          expect(await faultsInPseudo(page)).toEqual([])
        }
        expect(errors.splice(0).filter((error) => !error.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
      } catch (error) {
        await picture(page, `${screen.name}-${size}-failed`)
        throw error
      } finally {
        errors.length = 0
        await page.setViewportSize(viewport)
        await calm(page)
        await page.context().clearCookies({ name: LANGUAGE_COOKIE })
      }
    },
  )
}

/** Nothing is held, broken or offline any more. */
async function calm(page: Page): Promise<void> {
  await page.mouse.up()
  await page.unrouteAll()
  await page.context().setOffline(false)
}

/** How many menus and dialogs are open. */
const overlays = (page: Page) =>
  page.locator('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]').filter({ visible: true }).count()

/** For people to look at: CI has nobody. */
const picture = async (page: Page, name: string) =>
  process.env.CI ? undefined : page.screenshot({ path: path.join(FOLDER, `${name}.png`) })

/** Elements with too little contrast in this colour. */
async function unreadable(page: Page, primary: string, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.evaluate((name) => (document.documentElement.dataset.primary = name), primary)
  await page.emulateMedia({ colorScheme })
  await still(page)
  return (await axeViolations(page, ['color-contrast'])).map((violation) => `${primary}, ${colorScheme}: ${violation}`)
}

/** Elements that need sideways scrolling, and dialogs that leave the window. */
const outside = (page: Page) =>
  page.evaluate(() => {
    const named = (element: Element) => `${element.localName}.${element.className} ${element.textContent?.slice(0, 40)}`
    const { scrollWidth } = document.documentElement
    const wide =
      scrollWidth > innerWidth ? [...document.body.querySelectorAll('*')].filter(({ clientWidth }) => clientWidth > innerWidth) : []
    const dialogs = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].filter((dialog) => {
      const { left, right, top, bottom } = dialog.getBoundingClientRect()
      return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
    })
    return [...(scrollWidth > innerWidth ? [`the page is ${scrollWidth} wide`] : []), ...wide.map(named), ...dialogs.map(named)]
  })
