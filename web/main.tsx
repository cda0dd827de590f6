import { Provider } from 'jotai'
import { type ReactNode, StrictMode, startTransition } from 'react'
import { RouterProvider } from 'react-router/dom'
import { firstSightAtom } from './atoms/first-sight.ts'
import { knownUserIdAtom } from './atoms/session.ts'
import { startApp } from './atoms/start.ts'
import { store } from './atoms/store.ts'
import { isCrawler } from './lib/crawlers.ts'
import { createRoot, hydrateRoot } from './lib/draw.ts'
import { fetchAhead } from './lib/load-failure.ts'
import { leavePlaceToView } from './lib/scroll/scroll-positions.ts'
import { leaveSnapshot } from './lib/start/snapshot.ts'
import { breathe } from './lib/yield-to-main.ts'
import { createRouter, createStartupErrorRouter } from './routes.tsx'
import './styles/base.css'
import { viewAt } from './view-table.ts'

// From now on errors say where they come from, as the browser would have it (public/first-paint.js).
Object.assign(Error, { stackTraceLimit: 10 })

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
  fetchAhead(async () => (await import('./atoms/follow-sight.ts')).followSight(store, router))
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
  else if (globalThis.snapshot) void whenThere(router).then(() => startTransition(() => createRoot(root).render(app)))
  else createRoot(root).render(app)
}

/** Milliseconds after which a page is drawn below its picture, whatever is still to come. */
const PATIENCE = 1_000

/** While a picture of the page stands nobody sees what is drawn below: that page, once, when what it shows is there. */
function whenThere(router: Router): Promise<void> {
  // As the router has it once it is drawn: where a page is scrolled to is not for the browser to say.
  history.scrollRestoration = 'manual'
  const { pathname, key } = router.state.location
  const view = viewAt(pathname)?.view
  if (view) leavePlaceToView(view, key)
  return new Promise((resolve) => {
    const look = () => {
      const { initialized, errors, location } = router.state
      const elsewhere = errors !== null || viewAt(location.pathname) === null
      if (initialized && (elsewhere || store.get(firstSightAtom))) done()
    }
    const done = () => {
      for (const end of ends) end()
      clearTimeout(timer)
      resolve()
    }
    const ends = [router.subscribe(look), store.sub(firstSightAtom, look)]
    const timer = setTimeout(done, PATIENCE)
    look()
  })
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

async function begin(root: HTMLElement): Promise<void> {
  try {
    startApp(store)
    await breathe()
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
leaveSnapshot(root)
// Apart from the reading of the modules, so that what somebody does is heard in between.
setTimeout(() => void begin(root))
