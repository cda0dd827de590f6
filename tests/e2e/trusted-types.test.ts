import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { world } from '../support/world.ts'

const test = app.extend('expectedErrors', () => [/Trusted|Text was refused|script of another place/])

/** Hands a string to each kind of sink of the page. Returns `null` where the page takes it, else the name of the error. */
const attempts = () => {
  const tried = (run: () => unknown) => {
    try {
      run()
      return null
    } catch (error) {
      return error instanceof Error ? error.name : String(error)
    }
  }
  const element = document.createElement('div')
  const script = (src: string) => Object.assign(document.createElement('script'), { src })
  return {
    markup: tried(() => Object.assign(element, { innerHTML: '<img src=x onerror=alert(1)>' })),
    adjacent: tried(() => element.insertAdjacentHTML('beforeend', '<b>x</b>')),
    fragment: tried(() => document.createRange().createContextualFragment('<script>alert(1)</script>')),
    foreignScript: tried(() => script('https://evil.example/a.js')),
    ownFile: tried(() => script('/api/asset/1/file')),
    data: tried(() => script('data:text/javascript,alert(1)')),
    worker: tried(() => new Worker('/api/asset/1/file')),
    anotherPolicy: tried(() =>
      (globalThis as never as { trustedTypes: { createPolicy(name: string, rules: object): void } }).trustedTypes.createPolicy('evil', {}),
    ),
    anotherDefault: tried(() =>
      (globalThis as never as { trustedTypes: { createPolicy(name: string, rules: object): void } }).trustedTypes.createPolicy(
        'default',
        {},
      ),
    ),
    parsing: tried(() => new DOMParser().parseFromString('<b>x</b>', 'text/html')),
    ownScript: tried(() => script('/assets/a.js')),
    emptied: tried(() => Object.assign(element, { innerHTML: '' })),
  }
}

test.for(['/about', '/collections'])(
  'A page at %s takes no text as HTML or as the address of a script, except for its own build',
  async (path, { openPage }) => {
    const { as } = await world()
    const { page } = await openPage({ as: as('ada') })
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(await page.evaluate(attempts)).toEqual({
      markup: 'TypeError',
      adjacent: 'TypeError',
      fragment: 'TypeError',
      foreignScript: 'TypeError',
      ownFile: 'TypeError',
      data: 'TypeError',
      worker: 'TypeError',
      anotherPolicy: 'TypeError',
      anotherDefault: 'TypeError',
      parsing: null,
      ownScript: null,
      emptied: null,
    })
  },
)
