import { html } from 'hono/html'
import { shownLanguage } from '#language'
import { t } from '#say'
import { withFullStop } from '../../contract/full-stop.ts'
import { directionOf } from '../../contract/language/languages.ts'

interface ErrorPageProps {
  status: number
  message: string
  /** Shown for 5xx, so that users can report it: the log has it too. */
  requestId: string | undefined
}

function titleOf(status: number): string {
  if (status === 404) return t`Page Not Found`
  return status < 500 ? t`This cannot be shown` : t`Internal Server Error`
}

/** Three stacked stones, as on the app's pages; scattered for 404. */
const MARK = html`<svg viewBox="0 0 64 64" width="56" aria-hidden="true"><rect x="5" y="41" width="54" height="19" rx="9.5"/><rect x="12" y="22.5" width="38" height="16" rx="8" transform="rotate(-4 31 30)" opacity=".85"/><rect x="21.5" y="5.5" width="23" height="14" rx="7" transform="rotate(6 33 12)" opacity=".7"/></svg>`
const SCATTERED = html`<svg viewBox="5 0 120 56" width="150" aria-hidden="true"><ellipse cx="40" cy="44" rx="22" ry="9"/><ellipse cx="82" cy="46" rx="13" ry="6.5" opacity=".8" transform="rotate(-8 82 46)"/><ellipse cx="105" cy="49" rx="7.5" ry="4.6" opacity=".6"/></svg>`

/** The app's default theme, orange and stone, repeated here because the worker has no access to its styles. */
const STYLE = html`
:root { color-scheme: light dark; --page: light-dark(#fff, #0c0a09); --text: light-dark(#1c1917, #fafaf9); --muted: light-dark(#57534e, #d6d3d1);
  --border: light-dark(#d6d3d1, #44403c); --raised: light-dark(#fff, #1c1917);
  --accent: light-dark(oklch(55.3% .195 38.4), oklch(70.5% .213 47.6)); --on-accent: light-dark(#fff, #0c0a09) }
* { box-sizing: border-box }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; text-align: center }
main { max-width: 31rem; padding: 5rem 1.5rem }
svg { fill: var(--accent) }
p, h1 { margin: 0; text-wrap: balance; overflow-wrap: break-word }
h1 { margin-top: .25rem; font-size: 1.5rem; line-height: 1.3; font-weight: 600 }
.status { margin-top: 2rem; font-size: .875rem; font-weight: 500; font-variant-numeric: tabular-nums }
.message { margin-top: .5rem } .number { margin-top: .75rem; font-size: .75rem } .status, .message, .number { color: var(--muted) }
code { display: block; font: .75rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; user-select: all }
.ways { display: flex; flex-wrap: wrap; justify-content: center; gap: .5rem; margin-top: 2rem }
a { display: grid; place-items: center; height: 2.25rem; padding: 0 .875rem; border: 1px solid var(--border); border-radius: .5rem;
  background: var(--raised); color: inherit; font-size: .875rem; font-weight: 500; text-decoration: none }
a:first-child { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
@media (pointer: coarse) { a { height: 2.75rem } }
`

/** An error as a page, for navigations in a browser. */
export function errorPage({ status, message, requestId }: ErrorPageProps) {
  const title = titleOf(status)
  return html`<!doctype html>
<html lang="${shownLanguage()}" dir="${directionOf(shownLanguage())}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Cairn</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<main>
${status === 404 ? SCATTERED : MARK}
<p class="status">${status}</p>
<h1>${title}</h1>
<p class="message">${withFullStop(message)}</p>
${status >= 500 && requestId ? html`<p class="number">${t`Request number for the site’s operator:`} <code>${requestId}</code></p>` : ''}
<div class="ways">${secondLink(status)}<a href="/">${t`Home`}</a></div>
</main>
</body>
</html>
`
}

/** A second link beside Home. An empty href reloads the page. */
function secondLink(status: number) {
  if (status === 401) return html`<a href="/login">${t`Sign in`}</a>`
  return status >= 500 ? html`<a href="">${t`Try again`}</a>` : ''
}
