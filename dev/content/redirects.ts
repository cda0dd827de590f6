import { REDIRECT_STATUS, type RouteRule } from '../../contract/site.ts'
import { targetOf } from '../../web/lib/navigate.ts'
import { SetupError } from '../setup-error.ts'

type Redirect = NonNullable<RouteRule['redirect']>

/**
 * Parses lines of `/from to 301`; `to` is a path, or an https address outside of the app. Ignores blank lines and those that begin with #.
 */
export function parseRedirects(source: string, taken: ReadonlySet<string>): Map<string, Redirect> {
  const redirects = new Map<string, Redirect>()
  for (const line of source.split(/\r?\n/).map((text) => text.trim())) {
    if (line === '' || line.startsWith('#')) continue
    const [from = '', to = '', code = '301', ...rest] = line.split(/\s+/)
    const status = REDIRECT_STATUS.find((known) => String(known) === code)
    const problem = rest.length > 0 || !status ? 'is not "/from to 301"' : problemOf({ from, to, taken, redirects })
    if (problem || !status) throw new SetupError(`content/redirects: "${line}" ${problem}`)
    redirects.set(from, { to, status })
  }
  for (const [from, { to }] of redirects) {
    if (redirects.has(to)) throw new SetupError(`content/redirects: ${from} leads to ${to}, which leads on; name the last address at once`)
    if (to.startsWith('/') && !taken.has(to.replace(/[?#].*/, '')) && !isFile(to))
      throw new SetupError(`content/redirects: ${from} leads to ${to}, which is no page`)
  }
  return redirects
}

/** Whether the worker itself answers this path, or it is a file. */
function isFile(to: string): boolean {
  return targetOf(to, { origin: 'https://cairn.invalid' }).kind === 'outside'
}

interface Line {
  from: string
  to: string
  taken: ReadonlySet<string>
  redirects: ReadonlyMap<string, Redirect>
}

function problemOf({ from, to, taken, redirects }: Line): string | null {
  if (!/^\/[\w./-]*[\w-]$/.test(from) || from.includes('//')) return 'does not begin with a path of the app, without a slash at its end'
  if (taken.has(from)) return 'leads away from a page that there is'
  if (redirects.has(from)) return 'is there twice'
  if (to.startsWith('/')) return /^\/[/\\]/.test(to) ? 'leads outside of the app without saying so' : null
  return URL.canParse(to) && new URL(to).protocol === 'https:' ? null : 'leads neither to a path nor to an https address'
}
