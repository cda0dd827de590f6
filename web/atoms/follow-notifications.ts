import type { createStore } from 'jotai'
import type { createBrowserRouter } from 'react-router'
import { onNotificationOpened } from '../lib/pwa/pwa.ts'
import { goToAtom } from './go-to.ts'

/** Opens the page of a notification pressed while the app is open, but never another site. Call once, at start. */
export function followNotifications(app: ReturnType<typeof createStore>, router: ReturnType<typeof createBrowserRouter>): void {
  const ways = {
    origin: location.origin,
    navigate: (path: string) => router.navigate(path),
    assign: (href: string) => location.assign(href),
  }
  onNotificationOpened((to) => app.set(goToAtom, to, ways))
}
