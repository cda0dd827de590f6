import type { BrowserContextOptions, WebSocket } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from './fixtures.ts'
import type { Person } from './people.ts'
import type { World } from './world.ts'

/** As long as a person would never wait, and a busy machine may take. */
export const SOON = { timeout: 20_000 }

/** Somebody of a world at a view of its collection, with their live rooms open. */
export interface Viewer extends Person {
  sockets: WebSocket[]
}

/** `watch(kyoto, 'bob', 'timeline')` is Bob at that view, who hears what happens in the collection. */
export const test = app.extend(
  'watch',
  ({ openPage }) =>
    async (world: World, name: string, view: string, options: BrowserContextOptions = {}) => {
      const person = await openPage({ as: world.as(name), ...options })
      const who: Viewer = { ...person, sockets: [] }
      who.page.on('websocket', (socket) => who.sockets.push(socket))
      await who.page.addInitScript(REMEMBER_SOCKETS)
      await who.page.goto(`/collections/${view}?c=${world.collection.id}`)
      await live(who, world)
      // The rooms are joined while the shell is still being fetched; before it stands nobody hears a key.
      await who.page.getByRole('main').waitFor()
      await who.page.evaluate('globalThis.loadedOnce = true')
      return who
    },
)

/** Waits until they hear what happens in the collection. */
export async function live(who: Viewer, { collection }: World): Promise<void> {
  await expect.poll(() => openRooms(who), { timeout: 30_000 }).toContain(`collection:${collection.id}`)
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
