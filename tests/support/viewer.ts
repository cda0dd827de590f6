import type { BrowserContextOptions, WebSocket } from 'playwright-core'
import { expect, vi } from 'vitest'
import { type openBrowser, type Person, signInAs } from './people.ts'
import type { World } from './world.ts'

/** As long as a person would never wait, and a busy machine may take. */
export const SOON = { timeout: 20_000 }

/** Somebody of a world at a view of its collection, with their live rooms open. */
export interface Viewer extends Person {
  sockets: WebSocket[]
}

interface Where {
  chromium: Awaited<ReturnType<typeof openBrowser>>
  world: World
  name: string
  view: string
  options?: BrowserContextOptions
}

export async function viewer({ chromium, world, name, view, options }: Where): Promise<Viewer> {
  const person = await chromium.person(options)
  const sockets: WebSocket[] = []
  person.page.on('websocket', (socket) => sockets.push(socket))
  await signInAs(person, world.as(name))
  await person.page.addInitScript(REMEMBER_SOCKETS)
  await person.page.goto(`/collections/${view}?c=${world.collection.id}`)
  await live({ ...person, sockets }, world)
  // The rooms are joined while the shell is still being fetched; before it stands nobody hears a key.
  await person.page.getByRole('main').waitFor()
  await person.page.evaluate('globalThis.loadedOnce = true')
  return { ...person, sockets }
}

/** Waits until they hear what happens in the collection. */
export async function live(who: Viewer, { collection }: World): Promise<void> {
  // Not a poll of expect: hooks may have none.
  await vi.waitFor(() => expect(openRooms(who)).toContain(`collection:${collection.id}`), 30_000)
}

/** The browser's own idea of being offline leaves open sockets alone, so the test cuts them itself. */
const REMEMBER_SOCKETS = `{
  const sockets = []
  const Native = WebSocket
  globalThis.WebSocket = class extends Native {
    constructor(...given) { super(...given); sockets.push(this) }
  }
  globalThis.openSockets = () => sockets.filter(({ readyState }) => readyState === Native.OPEN).length
  globalThis.cutSockets = () => sockets.forEach((socket) => socket.close())
}`

/** Names of the rooms that a browser has a socket to. */
export function openRooms({ sockets }: Viewer): string[] {
  return sockets
    .filter((socket) => !socket.isClosed())
    .map((socket) => decodeURIComponent(new URL(socket.url()).pathname.split('/').at(-1) ?? ''))
}

/** In the app, without loading the page anew. */
export async function goTo({ page }: Person, view: 'Media' | 'Timeline' | 'Settings'): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click()
  await page.getByRole('heading', { level: 1, name: view }).waitFor()
}

export const article = ({ page }: Person, name: string | RegExp) => page.getByRole('article', { name })
