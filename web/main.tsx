import { Provider, useAtomValue } from 'jotai'
import { Direction } from 'radix-ui'
import { type ReactNode, StrictMode, useEffect, useState } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { languageAtom, languageKeyAtom, showLanguageAtom } from './atoms/language.ts'
import { recordViews } from './atoms/route-views.ts'
import { knownUserIdAtom } from './atoms/session.ts'
import { startApp } from './atoms/start.ts'
import { store } from './atoms/store.ts'
import { ApiError } from './lib/api.ts'
import { isCrawler } from './lib/crawlers.ts'
import { guestLink } from './lib/guest/link.ts'
import { applyLanguage } from './lib/language/load.ts'
import { fetchAhead, isLoadFailure, loadWhenOnline } from './lib/load-failure.ts'
import { onNotificationOpened } from './lib/pwa/notification-opened.ts'
import { isRightToLeft } from './lib/reading-direction.ts'
import { createRouter, createStartupErrorRouter } from './routes.tsx'
import './styles/base.css'

type Router = ReturnType<typeof createRouter>

function start(): Router {
  const router = createRouter()
  const views = recordViews(store, router)
  // On sign-in or sign-out, here or in another tab, the guard leads the user to a page that they may see. It handles the initial state itself.
  let before = store.get(knownUserIdAtom)
  store.sub(knownUserIdAtom, () => {
    if (before !== undefined || router.state.initialized) void router.revalidate()
    before = store.get(knownUserIdAtom)
  })
  fetchAhead(async () => (await import('./atoms/follow-build.ts')).followBuild(store, router))
  if (guestLink) return router
  // At once: a message for which nobody listens is lost.
  onNotificationOpened((to) => {
    const loading = loadWhenOnline(() => import('./atoms/open-notification.ts'))
    loading.then(({ openNotification }) => openNotification(store, router, to)).catch(() => undefined)
  })
  fetchAhead(async () => (await import('./atoms/follow-analytics.ts')).followAnalytics(store, views))
  return router
}

/** Everything is drawn anew in another language. */
function App({ router }: { router: Router }) {
  return <Drawn key={useAtomValue(languageKeyAtom)} router={router} />
}

function Drawn({ router }: { router: Router }) {
  // At first the earlier drawing is still in the page, and so is its focus. Elements with an id, such as the language select, get it back.
  const [focused = ''] = useState(() => document.activeElement?.id)
  useEffect(() => document.getElementById(focused)?.focus(), [focused])
  return (
    <Direction.Provider dir={isRightToLeft() ? 'rtl' : 'ltr'}>
      <RouterProvider router={router} />
    </Direction.Provider>
  )
}

function show(root: HTMLElement, router: Router): void {
  const app = (
    <StrictMode>
      <Provider store={store}>
        <App router={router} />
      </Provider>
    </StrictMode>
  )
  if (root.hasChildNodes()) takeOver(root, router, app)
  else createRoot(root).render(app)
}

/**
 * A prerendered page stays until all code of the app has loaded. It stays unchanged for a crawler, and where the app cannot fetch its own copy
 * of the page: the reader has it already.
 */
function takeOver(root: HTMLElement, router: Router, app: ReactNode): void {
  if (isCrawler()) return
  const { pathname } = router.state.location
  const check = () => {
    const { initialized, errors, location } = router.state
    const stays = location.pathname === pathname
    if (!initialized || (stays && Object.values(errors ?? {}).some(isFetchFailure))) return
    end()
    if (stays && !errors && store.get(languageAtom) === drawnIn) {
      hydrateRoot(root, app)
      return
    }
    // A signed-in user has been redirected from home, the page failed, or it is in another language.
    applyLanguage(store.get(languageAtom))
    root.replaceChildren()
    createRoot(root).render(app)
  }
  const end = router.subscribe(check)
  check()
}

function isFetchFailure(error: unknown): boolean {
  return error instanceof ApiError || isLoadFailure(error)
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

/** Language of the page as it was drawn by the build. */
const drawnIn = document.documentElement.lang
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
const { loading } = globalThis.startLanguage ?? {}
if (!loading || loading.language === 'en' || isCrawler()) begin(root)
else void store.set(showLanguageAtom, loading.language, { loading }).then(() => begin(root))
