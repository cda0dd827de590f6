import { isId } from '../../contract/ids.ts'
import { type CollectionView, VIEWS, type View } from '../view-table.ts'

/** Every address of the app but those of the views of a collection. */
export const PATHS = {
  home: '/',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  /** Where the sign-in service sends people back to; the worker answers it. */
  callback: '/api/auth/callback',
  feed: '/feed',
  collections: '/collections',
  profile: '/profile/settings',
  /** What other apps share comes here, by way of the service worker. */
  share: '/share',
} as const

/** A view of the collection that `?c=` names. `rest` follows the collection: what narrows the view (`&type=photo`), or where it opens. */
export function collectionLink(view: CollectionView, collectionId: string, rest = ''): string {
  return `${viewPath(view)}?c=${encodeURIComponent(collectionId)}${rest}`
}

export function viewPath(view: CollectionView): string {
  return `${PATHS.collections}/${view}`
}

/** The view that an address shows, if it is one of a collection. */
export function viewAt(pathname: string): (View & { view: CollectionView }) | null {
  return VIEWS.find(({ view }) => viewPath(view) === pathname) ?? null
}

/** Id of the collection that an address names; null when it names none or something that cannot be an id. */
export function collectionIdOf(search: URLSearchParams): string | null {
  const id = search.get('c')?.toLowerCase() ?? ''
  return isId(id) ? id : null
}
