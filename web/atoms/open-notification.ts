import type { createStore } from 'jotai'
import type { createBrowserRouter } from 'react-router'
import { goToAtom } from './go-to.ts'

/** Opens the page of a notification that was pressed while the app is open, but never another site. */
export function openNotification(app: ReturnType<typeof createStore>, router: ReturnType<typeof createBrowserRouter>, to: string): void {
  app.set(goToAtom, to, {
    origin: location.origin,
    navigate: (path: string) => router.navigate(path),
    assign: (href: string) => location.assign(href),
  })
}
