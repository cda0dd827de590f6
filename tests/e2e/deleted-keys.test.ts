import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, signInAs } from '../support/people.ts'
import { world } from '../support/world.ts'

/** Earlier versions kept pictures of pages, as private HTML, in localStorage. */

let chromium: Awaited<ReturnType<typeof openBrowser>>

beforeAll(async () => {
  chromium = await openBrowser()
})
afterAll(() => chromium?.close())

for (const signedIn of [true, false]) {
  test(`A device that holds pictures of pages loses them when the app starts, ${signedIn ? 'signed in' : 'signed out'}`, async () => {
    const person = await chromium.person()
    if (signedIn) await signInAs(person, (await world()).as('ada'))
    await person.page.goto('/about')
    await person.page.evaluate(() => {
      localStorage.setItem('snapshots', '["/collections/media?c=1"]')
      localStorage.setItem('snapshot:/collections/media?c=1', '{"html":"<h1>Private</h1>"}')
      localStorage.setItem('appearance', 'dark')
    })
    await person.page.goto(signedIn ? '/collections' : '/login')
    await person.page.getByRole('heading', { level: 1 }).waitFor()
    const kept = () => person.page.evaluate(() => Object.keys(localStorage).filter((key) => /^snapshot|^appearance/.test(key)))
    await expect.poll(kept).toEqual(['appearance'])
    expect(person.errors).toEqual([])
    await person.context.close()
  })
}
