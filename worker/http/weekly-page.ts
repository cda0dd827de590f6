import { html } from 'hono/html'
import { t } from '#say'
import { type Html, page } from './link-page.ts'

const small = (body: Html) => page(t`Weekly mail`, html`<h1>${t`Weekly mail`}</h1>\n${body}`)
/** To this page itself. */
const button = (label: string, fields: Html | '' = '') => html`<form method="post">${fields}<div><button>${label}</button></div></form>`
/** As mail programs send it (RFC 8058). */
const ONE_CLICK = html`<input type="hidden" name="List-Unsubscribe" value="One-Click">`

/** Opening it changes nothing: programs that check mails open every address. */
export const confirmPage = (email: string) =>
  small(html`<p>${t`Press the button, and ${email} gets a mail with what is new each Monday morning.`}</p>
${button(t`Confirm`)}`)

export const onPage = ({ end, back }: { end: string; back: string }) =>
  small(html`<p>${t`Your weekly mail is on. It comes each Monday morning on which there is something new.`}</p>
<p><a href="/s/back/${back}">${t`Back to the photos and posts`}</a></p>
<p><a href="/s/weekly/end/${end}">${t`End weekly mail`}</a></p>`)

export const endPage = () =>
  small(html`<p>${t`Do you want no more weekly mails about this collection?`}</p>
${button(t`End weekly mail`, ONE_CLICK)}`)

export const endedPage = () => small(html`<p>${t`You get no more weekly mails about this collection.`}</p>`)
