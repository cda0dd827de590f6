import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type LaunchOptions, type Page } from 'playwright-core'
import { inject } from 'vitest'
import { findHeadless } from '../../dev/chromium.ts'
import { type Actor, PASSWORD } from './world.ts'

export const DESKTOP = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

/** One person's browser: own cookies and storage. `errors` collects what the console and the page complained about. */
export interface Person {
  context: BrowserContext
  page: Page
  errors: string[]
}

/** `find` says where the browser is. */
export async function launchBrowser(args: string[], find = findHeadless, options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ executablePath: await find(console.log), args, timeout: 120_000, ...options })
}

/** A browser context of their own, which the caller closes. */
export async function newPerson(browser: Browser, options: BrowserContextOptions = {}): Promise<Person> {
  const context = await browser.newContext({
    baseURL: inject('stack').origin,
    viewport: DESKTOP,
    locale: 'en-GB',
    timezoneId: 'Europe/Vienna',
    // A test can neither delay nor count the requests of a service worker.
    serviceWorkers: 'block',
    ...options,
  })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  // From now on the driver takes file choosers. Told only when one is awaited, it may be too late for the first, which the browser then cancels.
  page.on('filechooser', () => {})
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (4|5)\d\d/.test(message.text())) errors.push(message.text())
  })
  return { context, page, errors }
}

/** Registers through the form and waits for the collections page. */
export async function signUpInBrowser(page: Page, person: { firstName: string; lastName: string; email: string }): Promise<void> {
  await page.goto('/register')
  await page.getByRole('textbox', { name: 'First name' }).fill(person.firstName)
  await page.getByRole('textbox', { name: 'Last name' }).fill(person.lastName)
  await page.getByRole('textbox', { name: 'E-mail' }).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/collections')
}

/** Gives the browser context the session of an account that was made over HTTP. */
export async function signInAs({ context }: Pick<Person, 'context'>, actor: Actor): Promise<void> {
  const url = inject('stack').origin
  await context.addCookies([...actor.cookies].map(([name, value]) => ({ name, value, url, httpOnly: true, sameSite: 'Lax' as const })))
}

/** Drops files from disk onto the window, as from a folder. */
export async function dropFiles(page: Page, files: string[]): Promise<void> {
  await page.evaluate(() => {
    const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true, id: 'dropped', hidden: true })
    document.body.append(input)
  })
  await page.locator('#dropped').setInputFiles(files)
  await page.evaluate(() => {
    const input = document.querySelector<HTMLInputElement>('#dropped')
    const dataTransfer = new DataTransfer()
    for (const file of input?.files ?? []) dataTransfer.items.add(file)
    const event = { dataTransfer, bubbles: true, cancelable: true }
    for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, event))
    input?.remove()
  })
}

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong on the page as it is now, one line per rule and element; by every rule, or by those that are named. */
export async function axeViolations(page: Page, rules?: string[]): Promise<string[]> {
  // Half a megabyte: once for each page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await axeSource)
  // Elements that fade in have too little contrast for a moment.
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect, playState }) => playState === 'running' && Number(effect?.getComputedTiming().endTime) < 1_000)
    await Promise.allSettled(ending.map(({ finished }) => finished.then(() => undefined)))
  })
  return page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }
    interface Violation {
      id: string
      nodes: { target: string[]; failureSummary: string }[]
    }
    const { violations } = await axe.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`))
  }, rules)
}
