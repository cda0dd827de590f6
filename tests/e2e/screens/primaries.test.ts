import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeViolations, openBrowser } from '../../support/people.ts'
import { SITE } from './site.ts'
import { cast, type Stage, setStage, settled } from './stage.ts'
import { VIEWS } from './views.ts'
import { WORK } from './work.ts'

/** Whatever colour somebody chooses, everything can be read: on the screens that show most of it. */

const SHOWN = ['collections', 'feed', 'media-selected', 'calendar-year', 'filtered', 'timeline-selected', 'settings', 'edit-post', 'invite']
const SCREENS = [...SITE, ...VIEWS, ...WORK].filter(({ name }) => SHOWN.includes(name))

let chromium: Awaited<ReturnType<typeof openBrowser>>
let stage: Stage
let people: ReturnType<typeof cast>

beforeAll(async () => {
  chromium = await openBrowser()
  stage = await setStage(chromium)
  people = cast(chromium, stage, { reducedMotion: 'reduce' })
})
afterAll(async () => {
  await people?.close()
  await chromium?.close()
})

test.each(SCREENS)('$name in five colours, light and dark', async (screen) => {
  const { page } = await people.as(screen.who)
  await people.show(screen)
  const found: string[] = []
  for (const primary of ['red', 'yellow', 'teal', 'violet', 'black']) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate((name) => (document.documentElement.dataset.primary = name), primary)
      await settled(page)
      found.push(...(await axeViolations(page, ['color-contrast'])).map((violation) => `${primary}, ${colorScheme}: ${violation}`))
    }
  }
  expect(found).toEqual([])
})
