import { html } from 'hono/html'
import { type Html, page } from './link-page.ts'

const TITLE = 'Weekly mail'
const small = (body: Html) => page(TITLE, html`<h1>${TITLE}</h1>\n${body}`)
/** To this page itself. */
const button = (label: string, fields: Html | '' = '') => html`<form method="post">${fields}<div><button>${label}</button></div></form>`
/** As mail programs send it (RFC 8058). */
const ONE_CLICK = html`<input type="hidden" name="List-Unsubscribe" value="One-Click">`

/** Opening it changes nothing: programs that check mails open every address. */
export const confirmPage = (email: string) =>
  small(html`<p>Press the button, and ${email} gets a mail with what is new each Monday morning.</p>
${button('Confirm')}`)

export const onPage = ({ end, back }: { end: string; back: string }) =>
  small(html`<p>Your weekly mail is on. It comes each Monday morning on which there is something new.</p>
<p><a href="/s/back/${back}">Back to the photos and posts</a></p>
<p><a href="/s/weekly/end/${end}">End weekly mail</a></p>`)

export const endPage = () =>
  small(html`<p>Do you want no more weekly mails about this collection?</p>
${button('End weekly mail', ONE_CLICK)}`)

export const endedPage = () => small(html`<p>You get no more weekly mails about this collection.</p>`)
