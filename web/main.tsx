import { Provider } from 'jotai'
import { type ReactNode, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { knownUserIdAtom } from './atoms/session.ts'
import { startApp } from './atoms/start.ts'
import { store } from './atoms/store.ts'
import { isCrawler } from './lib/crawlers.ts'
import { fetchAhead } from './lib/load-failure.ts'
import { createRouter, createStartupErrorRouter } from './routes.tsx'
import './styles/base.css'

type Router = ReturnType<typeof createRouter>

function start(): Router {
  const router = createRouter()
  // Who signs in or out, here or in another tab, is led to where they may be by the guard. It waits itself for who is there at first.
  let before = store.get(knownUserIdAtom)
  store.sub(knownUserIdAtom, () => {
    if (before !== undefined || router.state.initialized) void router.revalidate()
    before = store.get(knownUserIdAtom)
  })
  fetchAhead(async () => (await import('./atoms/follow-build.ts')).followBuild(store, router))
  fetchAhead(async () => (await import('./atoms/follow-notifications.ts')).followNotifications(store, router))
  fetchAhead(async () => (await import('./atoms/follow-analytics.ts')).followAnalytics(store, router))
  return router
}

function show(root: HTMLElement, router: Router): void {
  const app = (
    <StrictMode>
      <Provider store={store}>
        <RouterProvider router={router} />
      </Provider>
    </StrictMode>
  )
  if (root.hasChildNodes()) takeOver(root, router, app)
  else createRoot(root).render(app)
}

/** A page that stands already stays until all that the app needs for it is here; for a crawler it stays as it is. */
function takeOver(root: HTMLElement, router: Router, app: ReactNode): void {
  if (isCrawler()) return
  const { pathname } = router.state.location
  const hydrate = () => {
    if (router.state.location.pathname === pathname) return hydrateRoot(root, app)
    // Whoever is signed in by now was led on from home.
    root.replaceChildren()
    createRoot(root).render(app)
  }
  const end = router.subscribe(({ initialized }) => initialized && ready())
  const ready = () => {
    end()
    hydrate()
  }
  if (router.state.initialized) ready()
}

function begin(root: HTMLElement): void {
  try {
    startApp(store)
    show(root, start())
  } catch (error) {
    // What a crawler reads stays.
    if (isCrawler()) return
    root.replaceChildren()
    show(root, createStartupErrorRouter(error))
  }
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
begin(root)
