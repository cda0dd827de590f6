/** Hosts of the push services of Chrome, Firefox, Safari and Edge. Their subdomains count too. */
const KNOWN = ['fcm.googleapis.com', 'push.services.mozilla.com', 'push.apple.com', 'notify.windows.com']

/**
 * Whether this is the address of a known push service, or of one in PUSH_SERVICES (`more`, hosts separated by blanks). The worker calls no other
 * address that a browser gives it.
 */
export function isPushService(endpoint: string, more = ''): boolean {
  const { hostname } = new URL(endpoint)
  return [...KNOWN, ...more.split(' ').filter(Boolean)].some((host) => hostname === host || hostname.endsWith(`.${host}`))
}
