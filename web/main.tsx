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
  // On sign-in or sign-out, here or in another tab, the guard leads the user to a page that they may see. It handles the initial state itself.
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

/** A prerendered page stays until all code of the app has loaded; for a crawler it stays unchanged. */
function takeOver(root: HTMLElement, router: Router, app: ReactNode): void {
  if (isCrawler()) return
  const { pathname } = router.state.location
  const hydrate = () => {
    if (router.state.location.pathname === pathname) return hydrateRoot(root, app)
    // A signed-in user has been redirected from home.
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
    // Crawlers read the page as it is.
    if (isCrawler()) return
    root.replaceChildren()
    show(root, createStartupErrorRouter(error))
  }
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
begin(root)
