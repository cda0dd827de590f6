import { safeReturnPath } from '../../contract/return-path.ts'
import { readCookie, writeCookie } from './storage.ts'

const COOKIE = 'return-to'
const MAX_AGE_SECONDS = 30 * 60

export function rememberReturnPath(path: string): void {
  if (safeReturnPath(path, location.origin)) writeCookie(COOKIE, path, MAX_AGE_SECONDS)
}

/** Path that the visitor requested before signing in; can be read once. */
export function takeReturnPath(): string | null {
  const path = readCookie(COOKIE)
  writeCookie(COOKIE, '', 0)
  return path === null ? null : safeReturnPath(path, location.origin)
}
