import { isId } from '../../../contract/ids.ts'

/**
 * Id of the link as whose guest this page acts, from its address; null for everybody else. The same until the page is loaded anew, so that nobody is both a
 * guest and signed in.
 */
export const guestLink = linkIn((globalThis as { location?: { search: string } }).location?.search)

function linkIn(search = ''): string | null {
  const id = new URLSearchParams(search).get('link') ?? ''
  return isId(id) ? id : null
}

/** Adds the link to an address that has a query. */
export function asGuest(address: string): string {
  return guestLink ? `${address}&link=${guestLink}` : address
}
