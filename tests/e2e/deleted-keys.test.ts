import { expect } from 'vitest'
import { test } from '../support/fixtures.ts'
import { signInAs } from '../support/people.ts'
import { world } from '../support/world.ts'

/** Earlier versions kept pictures of pages, as private HTML, in localStorage. */

const KEPT = { appearance: 'dark', rail: 'narrow', 'draft-of-a-test': 'Half written' }

for (const signedIn of [true, false]) {
  test(`A device that holds pictures of pages loses them, and nothing else, when the app starts ${signedIn ? 'signed in' : 'signed out'}`, async ({
    openPage,
  }) => {
    const person = await openPage()
    if (signedIn) await signInAs(person, (await world()).as('ada'))
    await person.page.goto('/about')
    await person.page.evaluate((kept) => {
      localStorage.setItem('snapshots', '["/collections/media?c=1"]')
      localStorage.setItem('snapshot:/collections/media?c=1', '{"html":"<h1>Private</h1>"}')
      for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value)
    }, KEPT)
    await person.page.goto(signedIn ? '/collections' : '/login')
    await person.page.getByRole('heading', { level: 1 }).waitFor()
    const stored = () => person.page.evaluate(() => ({ ...localStorage }))
    await expect.poll(async () => Object.keys(await stored()).filter((key) => key.startsWith('snapshot'))).toEqual([])
    expect(await stored()).toMatchObject(KEPT)
  })
}
