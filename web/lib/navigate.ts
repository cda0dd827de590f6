import { t } from '#say'

/** Target of a link: a page of the app, or a URL that the browser opens itself. */
export type Target = { kind: 'inside'; path: string } | { kind: 'outside'; href: string }

export class NavigationRefused extends Error {
  override name = 'NavigationRefused'
}

interface Rules {
  origin: string
  /** Whether links to other sites are allowed. */
  external?: boolean
}

const OUTSIDE = ['http:', 'https:', 'mailto:', 'tel:']
/** Paths that the worker answers itself, and files. */
const NO_PAGE = /^\/(api|_image|builds|assets)\/|\.[a-z0-9]+$/i

/**
 * Resolves an address, relative to the origin if it names none. Throws NavigationRefused for another site unless that is allowed, and
 * always for scripts.
 */
export function targetOf(to: string, { origin, external = false }: Rules): Target {
  if (!URL.canParse(to, origin)) throw new NavigationRefused(t`This address cannot be read.`)
  const url = new URL(to, origin)
  if (!OUTSIDE.includes(url.protocol)) throw new NavigationRefused(t`Cairn does not open addresses that begin with "${url.protocol}".`)
  if (url.origin !== origin) {
    if (!external) throw new NavigationRefused(t`Cairn does not lead to another site from here: ${url.href}`)
    return { kind: 'outside', href: url.href }
  }
  return NO_PAGE.test(url.pathname) ? { kind: 'outside', href: url.href } : { kind: 'inside', path: url.pathname + url.search + url.hash }
}

interface Ways extends Rules {
  /** Navigates within the app. */
  navigate: (path: string) => unknown
  assign: (href: string) => void
}

/** Opens an address from user content: with the router inside the app, with the browser outside. */
export function navigateTo(to: string, { navigate, assign, ...rules }: Ways): void {
  const target = targetOf(to, rules)
  if (target.kind === 'inside') navigate(target.path)
  else assign(target.href)
}
