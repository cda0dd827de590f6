import type { Atom } from 'jotai'
import type { ComponentType } from 'react'
import { createBrowserRouter, data, type LoaderFunctionArgs, type RouteObject, redirect, replace } from 'react-router'
import { contentStateAtom } from './atoms/content.ts'
import { fetchContentAtom } from './atoms/content-fetch.ts'
import { readAddressAtom } from './atoms/filters.ts'
import { createReadAhead } from './atoms/read-ahead.ts'
import { lastSelectedId, selectCollectionAtom, selectedCollectionIdAtom } from './atoms/selected-collection.ts'
import { ensureSessionAtom, sessionEndedAtom } from './atoms/session.ts'
import { fetchSignInWaysAtom } from './atoms/sign-in-ways.ts'
import { store } from './atoms/store.ts'
import { AppSkeleton } from './components/shell/app-skeleton.tsx'
import { whenPhotosLoaded } from './lib/first-render.ts'
import { needsSession } from './lib/guard.ts'
import { collectionIdOf, PATHS, viewPath } from './lib/links.ts'
import { fetchAhead } from './lib/load-failure.ts'
import { rememberReturnPath, takeReturnPath } from './lib/return-path.ts'
import { ErrorPage, ErrorPanel } from './pages/error-page.tsx'
import { RootPage } from './pages/root-page.tsx'
import { VIEWS } from './view-table.ts'

// Every URL and its page. The addresses and the builders of links are in lib/links.ts.

/** The access guard: without a session it redirects to sign-in, and the requested path is remembered. */
async function guard({ request }: LoaderFunctionArgs): Promise<null> {
  const { pathname, search, hash } = new URL(request.url)
  if ((await store.set(ensureSessionAtom)) || !needsSession(pathname)) return null
  if (store.get(sessionEndedAtom) !== 'left') rememberReturnPath(pathname + search + hash)
  throw redirect(PATHS.login)
}

/** Redirects. A URL that is already in the address bar is replaced, or Back would lead to it and forward again. */
function onTo(to: string, { request }: LoaderFunctionArgs): Response {
  const { pathname, search } = new URL(request.url)
  const stands = window.location.pathname === pathname && window.location.search === search
  return stands ? replace(to) : redirect(to)
}

/** Home, sign-in and registration redirect signed-in users to the page they requested. */
async function guestsOnly(args: LoaderFunctionArgs): Promise<null> {
  // These pages work without the server, so an outage must not hide them.
  const user = await store.set(ensureSessionAtom).catch(() => null)
  if (user) throw onTo(takeReturnPath() ?? PATHS.collections, args)
  return null
}

/** Sign-in and registration wait until the sign-in services are known, so that nothing is removed again. */
async function signInPages(args: LoaderFunctionArgs): Promise<null> {
  const ways = store.set(fetchSignInWaysAtom).catch(() => null)
  await guestsOnly(args)
  await ways
  return null
}

/** Requests content that is missing or failed to load; views refresh the rest themselves, once they are rendered. */
function fetchMissing(id: string): void {
  const { collectionId, complete, error } = store.get(contentStateAtom)
  if (collectionId !== id || !complete || error) void store.set(fetchContentAtom, id)
}

/** Opens the collection in the URL; without one, the last that was open here. */
async function openCollection(args: LoaderFunctionArgs): Promise<null> {
  await guard(args)
  const url = new URL(args.request.url)
  if (!url.searchParams.has('c')) {
    const id = store.get(selectedCollectionIdAtom) ?? lastSelectedId()
    if (!id) throw onTo(PATHS.collections, args)
    url.searchParams.set('c', id)
    throw onTo(url.pathname + url.search, args)
  }
  const id = collectionIdOf(url.searchParams)
  if (!id) throw data('There is no such collection, or you are not a member of it.', 404)
  store.set(selectCollectionAtom, id)
  // Before the view, whose code may still be loading.
  fetchMissing(id)
  store.set(readAddressAtom, id, url.searchParams)
  return null
}

function notFound({ request }: LoaderFunctionArgs): never {
  throw data(`Page not found: ${new URL(request.url).pathname}`, 404)
}

/** Pages of content/, and redirects from their old addresses. */
async function loadWritten() {
  const [{ ContentPage }, { loadContent }] = await Promise.all([import('./pages/content-page.tsx'), import('./pages/content-loader.ts')])
  return { Component: ContentPage, loader: loadContent }
}

/** A page that is loaded on first visit. */
function page<M>(load: () => Promise<M>, component: (module: M) => ComponentType) {
  return async () => ({ Component: component(await load()) })
}

const loadGate = () => import('./components/shell/collection-gate.tsx')
/** Exports of every view's folder. */
interface ViewModule {
  default: ComponentType
  /** Atoms derived from the content, computed ahead. */
  reads?: readonly Atom<unknown>[]
}
const folders = import.meta.glob<ViewModule>('./views/*/index.ts')
const views = VIEWS.map(({ view }) => {
  const load = folders[`./views/${view}/index.ts`]
  if (!load) throw new Error(`views/${view}/index.ts is missing`)
  return { path: viewPath(view), load }
})
const loadFeed = () => import('./pages/feed.tsx')

/** The shell; once it is there, the views follow in quiet moments, so that they open at once and without a connection. */
async function loadShell() {
  const { AppNav } = await import('./components/shell/app-nav.tsx')
  fetchAhead(loadGate)
  const readAhead = createReadAhead(store)
  for (const { load } of views) fetchAhead(async () => readAhead((await load()).reads ?? []), whenPhotosLoaded)
  fetchAhead(loadFeed, whenPhotosLoaded)
  return { AppNav }
}

const collectionViews = views.map(
  ({ path, load }): RouteObject => ({ path, loader: openCollection, lazy: page(load, (module) => module.default) }),
)

const signedInPages: RouteObject[] = [
  { path: PATHS.feed, loader: guard, lazy: page(loadFeed, (module) => module.FeedPage) },
  {
    path: PATHS.collections,
    loader: guard,
    lazy: page(
      () => import('./pages/collections.tsx'),
      (module) => module.CollectionsPage,
    ),
  },
  {
    path: PATHS.profile,
    loader: guard,
    lazy: page(
      () => import('./pages/profile-settings.tsx'),
      (module) => module.ProfileSettingsPage,
    ),
  },
  {
    path: PATHS.share,
    loader: guard,
    lazy: page(
      () => import('./pages/share.tsx'),
      (module) => module.SharePage,
    ),
  },
  {
    lazy: page(loadGate, (module) => module.CollectionGate),
    children: collectionViews,
  },
  // No route of ours: not fatal, the shell stays.
  { path: '/collections/*', loader: notFound, Component: Nothing },
  { path: '/profile/*', loader: notFound, Component: Nothing },
]

const openPages: RouteObject[] = [
  {
    path: PATHS.home,
    loader: guestsOnly,
    lazy: page(
      () => import('./pages/home.tsx'),
      (module) => module.HomePage,
    ),
  },
  {
    path: PATHS.login,
    loader: signInPages,
    lazy: page(
      () => import('./pages/login.tsx'),
      (module) => module.LoginPage,
    ),
  },
  {
    path: PATHS.register,
    loader: signInPages,
    lazy: page(
      () => import('./pages/register.tsx'),
      (module) => module.RegisterPage,
    ),
  },
  {
    path: PATHS.forgotPassword,
    lazy: page(
      () => import('./pages/forgot-password.tsx'),
      (module) => module.ForgotPasswordPage,
    ),
  },
  {
    path: PATHS.resetPassword,
    lazy: page(
      () => import('./pages/reset-password.tsx'),
      (module) => module.ResetPasswordPage,
    ),
  },
]

/** Until it is known who is there, the open pages show nothing rather than something that is replaced. */
function Nothing() {
  return null
}

const routes: RouteObject[] = [
  {
    Component: RootPage,
    ErrorBoundary: ErrorPage,
    HydrateFallback: Nothing,
    children: [
      ...openPages,
      {
        HydrateFallback: AppSkeleton,
        // Here as well, so that an outage at startup takes the whole window: there is no user yet to show a shell for.
        loader: guard,
        lazy: page(loadShell, (module) => module.AppNav),
        // A route of its own: one that failed to load cannot show its own error.
        children: [{ ErrorBoundary: ErrorPanel, children: signedInPages }],
      },
      // /blog, /blog/{slug} and /{slug}. The loader decides whether the page exists; a missing one is fatal.
      { path: '*', lazy: loadWritten },
    ],
  },
]

export function createRouter() {
  return createBrowserRouter(routes)
}

/** The error page for an app that could not start. */
export function createStartupErrorRouter(error: unknown) {
  const fail = () => {
    throw error
  }
  return createBrowserRouter([{ path: '*', loader: fail, Component: Nothing, HydrateFallback: Nothing, ErrorBoundary: ErrorPage }])
}
