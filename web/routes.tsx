import type { Atom } from 'jotai'
import type { ComponentType } from 'react'
import { createBrowserRouter, data, type LoaderFunctionArgs, type RouteObject, redirect, redirectDocument, replace } from 'react-router'
import { t } from '#say'
import { GUARD } from '../contract/guard.ts'
import { openCollectionIdAtom, reopenLastAtom } from './atoms/collections.ts'
import { contentStateAtom } from './atoms/content.ts'
import { fetchContentAtom } from './atoms/content-fetch.ts'
import { readUrlStateAtom } from './atoms/filters.ts'
import { createReadAhead } from './atoms/read-ahead.ts'
import { selectCollectionAtom } from './atoms/selected-collection.ts'
import { ensureSessionAtom, sessionEndedAtom, sessionUserIdAtom } from './atoms/session.ts'
import { fetchSignInWaysAtom } from './atoms/sign-in-ways.ts'
import { store } from './atoms/store.ts'
import { AppSkeleton } from './components/shell/app-skeleton.tsx'
import { ApiError } from './lib/api.ts'
import { needsSession } from './lib/guard.ts'
import { guestLink } from './lib/guest/link.ts'
import { collectionIdOf, PATHS, viewAt, viewPath } from './lib/links.ts'
import { fetchAhead } from './lib/load-failure.ts'
import { rememberReturnPath, takeReturnPath } from './lib/return-path.ts'
import { sleep } from './lib/scheduling.ts'
import { readSelectedId } from './lib/storage.ts'
import { ErrorPage, ErrorPanel } from './pages/error-page.tsx'
import { RootPage } from './pages/root-page.tsx'
import { VIEWS } from './view-table.ts'

// Every URL and its page. The addresses and the builders of links are in lib/links.ts.

/** The requested URL. Only the loader's `url` has the fragment; only the request has the query as it was written. */
function requested({ request, url }: LoaderFunctionArgs): URL {
  return new URL(url.hash, request.url)
}

/** The access guard: without a session it redirects to sign-in, and the requested path is remembered. */
async function guard(args: LoaderFunctionArgs): Promise<null> {
  const url = requested(args)
  if (guestLink) return guardGuest(url)
  const { pathname, search, hash } = url
  if ((await store.set(ensureSessionAtom)) || !needsSession(pathname)) return null
  if (store.get(sessionEndedAtom) !== 'left') rememberReturnPath(pathname + search + hash)
  throw redirect(GUARD.login)
}

/** Guests see the views of their collection alone. Whatever else they ask for is no page of the link. */
async function guardGuest(url: URL): Promise<null> {
  // The views say what is wrong with the link.
  await store.set(ensureSessionAtom).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'unauthenticated')) throw error
  })
  if (viewAt(url.pathname)?.shows) return null
  url.searchParams.delete('link')
  throw redirectDocument(url.pathname + url.search)
}

/** Pages for signed-in users that belong to no collection: the picker keeps the last one that was open. */
async function outsideCollections(args: LoaderFunctionArgs): Promise<null> {
  await guard(args)
  store.set(reopenLastAtom)
  return null
}

/** Redirects. A URL that is already in the address bar is replaced, or Back would lead to it and forward again. */
function onTo(to: string, { request }: LoaderFunctionArgs): Response {
  const { pathname, search } = new URL(request.url)
  const stands = window.location.pathname === pathname && window.location.search === search
  return stands ? replace(to) : redirect(to)
}

/** Redirects a signed-in user to the page they requested before signing in. */
function redirectUser(args: LoaderFunctionArgs): null {
  if (!store.get(sessionUserIdAtom)) return null
  const path = takeReturnPath()
  // The page of a link is none of the app's.
  throw path?.startsWith('/s/') ? redirectDocument(path) : onTo(path ?? PATHS.collections, args)
}

/** Home is for visitors. It works without the server, so an outage must not hide it. */
async function visitorsOnly(args: LoaderFunctionArgs): Promise<null> {
  await store.set(ensureSessionAtom).catch(() => null)
  return redirectUser(args)
}

/** Milliseconds that sign-in and registration wait for answers, so that they seldom show what an answer then replaces. */
const SIGN_IN_WAIT = 400

/**
 * Sign-in and registration can be read without an answer. A late one still redirects a signed-in user (main.tsx) and shows the ways to sign in.
 * `load` is the page's code: a user who becomes known while it loads is redirected here.
 */
function signInPage(load: () => Promise<unknown>) {
  return async (args: LoaderFunctionArgs): Promise<null> => {
    const ways = store.set(fetchSignInWaysAtom).catch(() => null)
    const user = store.set(ensureSessionAtom).catch(() => null)
    await Promise.race([user.then(async (known) => known ?? (await ways)), sleep(SIGN_IN_WAIT)])
    await load().catch(() => null)
    return redirectUser(args)
  }
}

/** Requests content that is missing or failed to load; views refresh the rest themselves, once they are rendered. */
function fetchMissing(id: string): void {
  const { collectionId, complete, error } = store.get(contentStateAtom)
  if (collectionId !== id || !complete || error) void store.set(fetchContentAtom, id)
}

/** Opens the collection in the URL; without one, the last that was open here. */
async function openCollection(args: LoaderFunctionArgs): Promise<null> {
  await guard(args)
  const url = requested(args)
  if (!url.searchParams.has('c')) {
    const id = store.get(openCollectionIdAtom) ?? readSelectedId()
    if (!id) throw onTo(PATHS.collections, args)
    url.searchParams.set('c', id)
    throw onTo(url.pathname + url.search + url.hash, args)
  }
  const id = collectionIdOf(url.searchParams)
  if (!id) throw data(t`There is no such collection, or you are not a member of it.`, 404)
  store.set(selectCollectionAtom, id)
  // Before the view, whose code may still be loading.
  fetchMissing(id)
  store.set(readUrlStateAtom, id, url.searchParams)
  return null
}

function notFound({ request }: LoaderFunctionArgs): never {
  throw data({ heading: t`Page not found: ${{ path: new URL(request.url).pathname }}` }, 404)
}

/** Pages of content/, and redirects from their old addresses. */
async function loadWritten() {
  const [{ ContentPage }, { isOtherPage, loadContent }] = await Promise.all([
    import('./pages/content-page.tsx'),
    import('./pages/content-loader.ts'),
  ])
  return { Component: ContentPage, loader: loadContent, shouldRevalidate: isOtherPage }
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
  for (const { load } of views) fetchAhead(async () => readAhead((await load()).reads ?? []))
  fetchAhead(loadFeed)
  return { AppNav }
}

async function loadGuestShell() {
  fetchAhead(loadGate)
  return (await import('./components/shell/guest-nav.tsx')).GuestNav
}

const collectionViews = views.map(
  ({ path, load }): RouteObject => ({ path, loader: openCollection, lazy: page(load, (module) => module.default) }),
)

const UNMATCHED = ['/collections/*', '/feed/*', '/profile/*', '/share/*']

const signedInPages: RouteObject[] = [
  { path: PATHS.feed, loader: outsideCollections, lazy: page(loadFeed, (module) => module.FeedPage) },
  {
    path: PATHS.collections,
    loader: outsideCollections,
    lazy: page(
      () => import('./pages/collections.tsx'),
      (module) => module.CollectionsPage,
    ),
  },
  {
    path: PATHS.profile,
    loader: outsideCollections,
    lazy: page(
      () => import('./pages/profile-settings.tsx'),
      (module) => module.ProfileSettingsPage,
    ),
  },
  {
    path: PATHS.share,
    loader: outsideCollections,
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
  ...UNMATCHED.map((path): RouteObject => ({ path, loader: notFound, Component: Nothing })),
]

const loadLogin = () => import('./pages/login.tsx')
const loadRegister = () => import('./pages/register.tsx')

const openPages: RouteObject[] = [
  {
    path: PATHS.home,
    loader: visitorsOnly,
    lazy: page(
      () => import('./pages/home.tsx'),
      (module) => module.HomePage,
    ),
  },
  {
    path: PATHS.login,
    loader: signInPage(loadLogin),
    lazy: page(loadLogin, (module) => module.LoginPage),
  },
  {
    path: PATHS.register,
    loader: signInPage(loadRegister),
    lazy: page(loadRegister, (module) => module.RegisterPage),
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
  {
    path: PATHS.verifyEmail,
    lazy: page(
      () => import('./pages/verify-email.tsx'),
      (module) => module.VerifyEmailPage,
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
        lazy: guestLink ? page(loadGuestShell, (nav) => nav) : page(loadShell, (module) => module.AppNav),
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
