import { safeReturnPath } from '../../contract/return-path.ts'
import { readCookie, writeCookie } from './storage.ts'

const COOKIE = 'return-to'
const MINUTES_30 = 1800

export function rememberReturnPath(path: string): void {
  if (safeReturnPath(path, location.origin)) writeCookie(COOKIE, path, MINUTES_30)
}

/** Where the visitor wanted to go before they signed in; asked for once. */
export function takeReturnPath(): string | null {
  const path = readCookie(COOKIE)
  writeCookie(COOKIE, '', 0)
  return path === null ? null : safeReturnPath(path, location.origin)
}
