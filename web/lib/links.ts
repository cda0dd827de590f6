import { isId } from '../../contract/ids.ts'
import { type CollectionView, VIEWS, type View } from '../view-table.ts'
import { asGuest } from './guest/link.ts'

/** Every path of the app except those of a collection's views. */
export const PATHS = {
  home: '/',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  /** The sign-in service redirects here; the worker answers it. */
  callback: '/api/auth/callback',
  feed: '/feed',
  collections: '/collections',
  profile: '/profile/settings',
  /** Files shared from other apps arrive here through the service worker. */
  share: '/share',
} as const

/** A view of the collection in `?c=`. `rest` is appended: filters of the view (`&type=photo`), or the position where it opens. */
export function collectionLink(view: CollectionView, collectionId: string, rest = ''): string {
  return `${asGuest(`${viewPath(view)}?c=${encodeURIComponent(collectionId)}`)}${rest}`
}

export function viewPath(view: CollectionView): string {
  return `${PATHS.collections}/${view}`
}

export function viewAt(pathname: string): (View & { view: CollectionView }) | null {
  return VIEWS.find(({ view }) => viewPath(view) === pathname) ?? null
}

/** Id of the collection in a URL; null when there is none or it cannot be an id. */
export function collectionIdOf(search: URLSearchParams): string | null {
  const id = search.get('c')?.toLowerCase() ?? ''
  return isId(id) ? id : null
}
