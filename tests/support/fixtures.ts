import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { test as base, expect } from 'vitest'
import { findHeadless } from '../../dev/chromium.ts'
import { CHROMIUM_ARGS } from './browser.ts'
import { launchBrowser, newPerson, type Person, signInAs } from './people.ts'
import type { Actor } from './world.ts'

interface Opening extends BrowserContextOptions {
  /** The signed-in person; a visitor without. */
  as?: Actor
  /** The URL to load. */
  at?: string
}

/** Fixtures of every browser test. A test file extends them by its people and their collections. */
export const test = base
  .extend('browserArgs', { scope: 'file' }, CHROMIUM_ARGS)
  .extend('findBrowser', { scope: 'file' }, () => findHeadless)
  .extend('browser', { scope: 'file' }, async ({ browserArgs, findBrowser }, { onCleanup }) => {
    const browser = await launchBrowser(browserArgs, findBrowser)
    onCleanup(() => browser.close())
    return browser
  })
  /** A temporary folder for files to upload or download. */
  .extend('folder', { scope: 'file' }, async ({ browser: _ }, { onCleanup }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cairn-files-'))
    onCleanup(() => rm(folder, { recursive: true, force: true }))
    return folder
  })
  /** Errors that pages may report. A test that causes some adds them: `expectedErrors.push(/ERR_FAILED/)`. */
  .extend('expectedErrors', (): RegExp[] => [])
  /** Opens a page in a new browser context. The context is closed after the test, which fails if the page reported an error. */
  .extend('openPage', async ({ browser, expectedErrors }, { onCleanup }) => {
    const opened: Person[] = []
    onCleanup(async () => {
      const errors = opened.flatMap((person) => person.errors)
      await Promise.all(opened.map(({ context }) => context.close()))
      expect(errors.filter((text) => !expectedErrors.some((expected) => expected.test(text)))).toEqual([])
    })
    return async ({ as, at, ...options }: Opening = {}): Promise<Person> => {
      const person = await newPerson(browser, options)
      opened.push(person)
      if (as) await signInAs(person, as)
      if (at) await person.page.goto(at)
      return person
    }
  })
