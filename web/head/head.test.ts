import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// Runs the whole head script, as a page does, on a mock of the few parts of a document that it uses.

class Element {
  children: Element[] = []
  append(...children: Element[]) {
    this.children.push(...children)
  }
  hasChildNodes() {
    return this.children.length > 0
  }
  setAttribute(name: string, value: string) {
    Object.assign(this, { [name]: value })
  }
}
class Input extends Element {
  type = 'file'
}
class Script extends Element {}

const COLLECTION = '0b4d7d5e-6f0a-4a52-9d0e-0a3f6f2f9c11'
const PAGE_SCRIPTS = { media: ['/assets/media.js'] }

let listeners: Map<string, (event: unknown) => void>
let fetched: string[]
let head: Element
let root: Element
let dataset: Record<string, string>
let page: { lang: string; dir: string }

beforeEach(() => {
  vi.resetModules()
  listeners = new Map()
  fetched = []
  head = new Element()
  root = new Element()
  dataset = {}
  page = { lang: 'en', dir: 'ltr' }
})
afterEach(() => vi.unstubAllGlobals())

interface Page {
  /** Of the request for what the app needs first. */
  answer?: unknown
  address?: string
  stored?: Record<string, string>
  cookie?: string
  /** The meta tag of a prerendered page. */
  drawn?: { content: string; dataset: Record<string, string> }
}

async function open({ answer, address = '/', stored = {}, cookie = '', drawn }: Page): Promise<void> {
  const addEventListener = (name: string, listener: (event: unknown) => void) => listeners.set(name, listener)
  const globals = {
    addEventListener,
    location: new URL(address, 'https://cairn.example'),
    localStorage: { getItem: (key: string) => stored[key] ?? null },
    document: {
      cookie,
      head,
      documentElement: Object.assign(page, { dataset: Object.assign(dataset, { primary: 'orange' }) }),
      createElement: (name: string) => Object.assign(name === 'script' ? new Script() : new Element(), { name, style: {} }),
      getElementById: () => root,
      querySelector: (selector: string) => (selector === 'meta[name=cairn-app]' ? (drawn ?? null) : null),
      querySelectorAll: () => [],
      addEventListener,
    },
    fetch: async (path: string) => {
      fetched.push(path)
      return answer ? Response.json(answer) : new Response()
    },
    requestIdleCallback: (run: () => void, { timeout }: { timeout: number }) => listeners.set(`idle within ${timeout}`, run),
    HTMLInputElement: Input,
    HTMLScriptElement: Script,
    PAGE_SCRIPTS,
    LANGUAGE_FILES: { 'en-XA': '/assets/language-en-XA.json' },
    navigator: { languages: ['en'] },
    prefetched: undefined,
  }
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  await import('./head.ts')
}

const send = (name: string, event: unknown = {}) => listeners.get(name)?.(event)

const OWN = { primary: 'teal', neutral: 'zinc', radius: '0.25', 'black-as-primary': 'false' }
const THEMES = { 'collection-themes': JSON.stringify({ [COLLECTION]: 'rose slate 0' }) }

test.each([
  ['a page outside collections has the own theme', '/feed', { ...OWN, ...THEMES }, 'teal'],
  ['a collection has its own theme', `/collections/media?c=${COLLECTION}`, { ...OWN, ...THEMES }, 'rose'],
  [
    'the collection that was open last counts without a query',
    '/collections/media',
    { ...THEMES, collection: JSON.stringify({ lastSelectedId: COLLECTION }) },
    'rose',
  ],
  [
    'a user who prefers the own theme has it in collections',
    `/collections/media?c=${COLLECTION}`,
    { ...OWN, ...THEMES, 'own-theme': 'true' },
    'teal',
  ],
  ['a colour that is unknown is not used', '/feed', { ...OWN, primary: 'mud' }, 'orange'],
])('The theme is restored before the first paint: %s', async (_, address, stored, primary) => {
  await open({ address, stored })
  expect(dataset.primary).toBe(primary)
})

test('A dark appearance and a narrow rail are restored before the first paint', async () => {
  await open({ stored: { appearance: 'dark', rail: 'narrow' } })
  expect(dataset).toMatchObject({ appearance: 'dark', rail: 'narrow' })
})

const SIGNED_IN = { 'device-user': 'ada' }
const AT = { address: `/collections/media?c=${COLLECTION}` }

test.each([
  ['what a page of a collection shows', { ...AT, stored: SIGNED_IN }, `?collection_id=${COLLECTION}`],
  [
    'what is not stored on the device of it',
    { ...AT, stored: { ...SIGNED_IN, 'stored-collections': COLLECTION } },
    `?collection_id=${COLLECTION}&content=false`,
  ],
  ['nothing of a collection for another page', { address: '/feed', stored: SIGNED_IN }, ''],
  ['nothing for what is no id', { address: '/collections/media?c=1', stored: SIGNED_IN }, ''],
  ['the same where nobody was signed in, who may come back from a sign-in service', AT, `?collection_id=${COLLECTION}`],
])('One request asks at once for %s', async (_, page, query) => {
  await open(page)
  expect(fetched).toEqual([`/api/bootstrap${query}`])
})

test('A page of a guest of a link asks for nothing as whoever is signed in', async () => {
  await open({ address: `${AT.address}&link=${COLLECTION}`, stored: SIGNED_IN })
  expect(fetched).toEqual([])
})

/** Ten assets: b has no picture, and d is shown as c. */
const PHOTOS = {
  fields: {
    ...{ id: [...'abcdefghij'], file_version: Array(10).fill(3) },
    renditions: [...'abcdefghij'].map((id) => (id === 'b' ? [] : ['thumb', 'preview'])),
    group: [...'abcdefghij'].map((id) => (id === 'c' || id === 'd' ? { id: 'g', kind: 'live', cover: 'c' } : null)),
  },
}

test.each([
  ['the first photos of media', AT.address, [...'acefghi'].map((id) => `/api/asset/${id}/renditions/thumb?v=3`)],
  ['no photos that a filter may hide', `${AT.address}&people=p`, []],
  ['no photos where a later day is shown', `${AT.address}#day-2024-03-15`, []],
  ['no photos of another page', `/collections/map?c=${COLLECTION}`, []],
])('Before the app has run, a page preloads %s', async (_, address, expected) => {
  await open({ address, answer: { content: { assets: { assets: PHOTOS } } } })
  await globalThis.prefetched?.answer
  await new Promise((resolve) => setImmediate(resolve))
  const images = head.children.filter((child) => 'as' in child && child.as === 'image')
  expect(images.map((child) => 'href' in child && child.href)).toEqual(expected)
})

test('A page loads its scripts at once, also on a device that does not know yet who is signed in', async () => {
  await open(AT)
  expect(head.children).toMatchObject([{ rel: 'modulepreload', href: '/assets/media.js' }])
})

test('The sign-in page loads no scripts of others', async () => {
  await open({ address: '/login' })
  expect(head.children).toEqual([])
})

const DRAWN = { content: '/assets/index.js /assets/vendor.js /blog/_payload.json', dataset: {} }

test('A prerendered page loads the app when it is idle after load', async () => {
  await open({ address: '/blog', drawn: DRAWN })
  send('DOMContentLoaded')
  expect(head.children).toEqual([])
  send('load')
  expect(head.children).toEqual([])
  send('idle within 2000')
  expect(fetched).toEqual(['/api/bootstrap'])
  expect(head.children).toMatchObject([
    { rel: 'modulepreload', href: '/assets/vendor.js' },
    { rel: 'preload', href: '/blog/_payload.json' },
    { type: 'module', src: '/assets/index.js' },
  ])
})

test.each([
  ['for a signed-in user', { stored: { 'device-user': 'ada' }, drawn: DRAWN }],
  ['where the page says so', { drawn: { ...DRAWN, dataset: { starts: 'now' } } }],
])('A prerendered page loads the app without waiting %s', async (_, page) => {
  await open(page)
  send('DOMContentLoaded')
  expect(head.children.at(-1)).toMatchObject({ src: '/assets/index.js' })
})

test.each([
  ['files outside a drop zone are refused', ['Files'], new Element(), false, true],
  ['text may be dropped', ['text/plain'], new Element(), false, false],
  ['a file input takes files', ['Files'], new Input(), false, false],
  ['a drop zone takes files', ['Files'], new Element(), true, false],
])('Drops: %s', async (_, types, target, defaultPrevented, refused) => {
  await open({})
  const preventDefault = vi.fn()
  send('drop', { types, target, defaultPrevented, preventDefault, dataTransfer: { types, dropEffect: 'copy' } })
  expect(preventDefault.mock.calls.length > 0).toBe(refused)
})

test('A script that cannot be loaded is reported on an empty page', async () => {
  await open({ address: '/login' })
  send('error', { target: new Script() })
  await vi.waitFor(() => expect(root.children).not.toEqual([]))
  expect(root.children).toMatchObject([{ role: 'alert', textContent: 'Cairn could not be loaded. Check the connection. ' }])
})

test('A script that cannot be loaded leaves a page with content unchanged', async () => {
  await open({ address: '/login' })
  root.append(new Element())
  send('error', { target: new Script() })
  expect(root.children.length).toBe(1)
})

test('The language of the device is fetched, and the page says that it is in it', async () => {
  await open({ address: '/feed', cookie: 'theme=1; language=en-XA' })
  expect(fetched).toContain('/assets/language-en-XA.json')
  expect(page).toMatchObject({ lang: 'en-XA', dir: 'ltr' })
})

test.each(['', 'language=tlh', 'language=%3Cscript%3E'])(
  'Without a language that Cairn knows, the page is in English: %s',
  async (cookie) => {
    await open({ address: '/feed', cookie })
    expect(fetched.filter((path) => path.includes('language'))).toEqual([])
    expect(page.lang).toBe('en')
  },
)

test('A page that is drawn already stays in its language until the app takes it over', async () => {
  await open({ cookie: 'language=en-XA', drawn: { content: '/assets/app.js', dataset: {} } })
  expect(page.lang).toBe('en')
})
