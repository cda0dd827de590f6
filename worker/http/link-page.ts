import { html, raw } from 'hono/html'
import { joined, type Said, say, shownLanguage } from '#language'
import { msg, plural, t } from '#say'
import type { Asset } from '../../contract/assets.ts'
import type { DateFormat } from '../../contract/date-format.ts'
import { withFullStop } from '../../contract/full-stop.ts'
import { directionOf } from '../../contract/language/languages.ts'
import { isFilm } from '../../contract/parts.ts'
import { personName } from '../../contract/person-name.ts'
import type { PostAsset } from '../../contract/posts.ts'
import type { OwnContribution } from '../queries/contributions.ts'
import type { Shared } from '../services/links/read-shared.ts'

/** The app's default theme, as on the pages of errors. */
const STYLE = html`
:root { color-scheme: light dark; --page: light-dark(#fff, #0c0a09); --text: light-dark(#1c1917, #fafaf9); --muted: light-dark(#57534e, #d6d3d1);
  --border: light-dark(#d6d3d1, #44403c); --raised: light-dark(#f5f5f4, #1c1917);
  --accent: light-dark(oklch(55.3% .195 38.4), oklch(70.5% .213 47.6)); --on-accent: light-dark(#fff, #0c0a09) }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { margin: 0 0 1.5rem; font-size: 1.75rem; line-height: 1.25; text-wrap: balance } h2 { margin: 0; font-size: 1.25rem; line-height: 1.35 }
article { max-width: 42rem; padding: 1.25rem 0; border-top: 1px solid var(--border) }
main a { color: var(--accent) } .when, .note { margin: 0; color: var(--muted); font-size: .875rem }
ul.photos { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(10rem, 45%), 1fr)); gap: .25rem; margin: 0 0 2rem; padding: 0; list-style: none }
.photos a { display: grid; aspect-ratio: 1; place-items: center; overflow: hidden; border-radius: .25rem; background: var(--raised); color: inherit; text-decoration: none; text-align: center; font-size: .875rem }
ol { display: grid; gap: 1rem; margin: 1rem 0; padding: 0; list-style: none } li > p { margin: 0; white-space: pre-wrap }
.item { display: grid; gap: 1rem; margin: 0 0 1.5rem } .item img, .item video { max-width: 100%; max-height: 80vh; margin: 0 auto; border-radius: .25rem } .item audio { width: 100% }
.beside { display: flex; justify-content: space-between; margin: 0 0 1.5rem } .beside a { display: inline-grid; align-items: center; min-height: 2.75rem } .beside a[rel=next] { margin-inline-start: auto }
.reactions { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 1.5rem } .reactions button { min-width: 2.75rem; padding: 0 .75rem; border: 1px solid var(--border); background: var(--page); color: inherit } .reactions button[aria-pressed=true] { border-color: var(--accent); background: var(--raised); font-weight: 600 }
.standing a, .note a { display: inline-grid; align-items: center; min-height: 2.75rem } .standing { margin: -.75rem 0 1.5rem } .standing button { border: 1px solid var(--border); background: var(--page); color: inherit } .box { display: grid; gap: .75rem; max-width: 42rem; margin: 2rem 0 0; padding: 1rem 1.25rem; border-radius: .5rem; background: var(--raised) } .box p { margin: 0 }
.sending { white-space: pre-line; overflow-wrap: anywhere }
.waiting { display: grid; gap: .5rem; margin: 0; padding: 0; list-style: none } .waiting li { display: flex; align-items: center; justify-content: space-between; gap: 1rem } .waiting span { min-width: 0; overflow-wrap: anywhere } .waiting button { border: 1px solid var(--border); background: var(--page); color: inherit }
.photos img { grid-area: 1 / 1; width: 100%; height: 100%; object-fit: cover } .photos .film::after { content: ''; grid-area: 1 / 1; width: 2.75rem; height: 2.75rem; border-radius: 50%; background: rgb(0 0 0 / .6) url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Cpath d='M9 6.5v11l9-5.5z' fill='white'/%3E%3C/svg%3E") center / 1.75rem no-repeat }
.photos span { padding: .5rem; max-width: 100%; overflow-wrap: anywhere }
form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; max-width: 22rem } label { display: grid; gap: .25rem; font-size: .875rem; font-weight: 500 }
input, textarea { width: 100%; min-width: 0; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid light-dark(#78716c, #a8a29e); border-radius: .5rem; background: var(--page); color: inherit; font: inherit }
button, .more { display: inline-grid; place-items: center; height: 2.75rem; padding: 0 1.25rem; border: 0; border-radius: .5rem; background: var(--accent); color: var(--on-accent); font: 500 1rem system-ui, sans-serif; text-decoration: none; cursor: pointer }
.error { margin: 0; color: light-dark(#b91c1c, #fca5a5); font-size: .875rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`

export type Html = ReturnType<typeof html>

/** A page for somebody with a link: readable without a script, in no search engine. */
export function page(title: string, body: Html, head: Html | '' = '') {
  return html`<!doctype html>
<html lang="${shownLanguage()}" dir="${directionOf(shownLanguage())}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title} · Cairn</title>
${head}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}

/** What a link asks for before it opens, and why it did not open with what was sent. */
export interface Questions {
  password: boolean
  name: boolean
  problems: Record<string, string>
}

const unnamed = () => t`Shared with you`

/** Tells neither the name nor anything else of what is behind the link. */
export function questionsPage({ password, name, problems }: Questions) {
  const field = (id: 'password' | 'name', label: string, type: string, complete: string) => {
    const problem = problems[id]
    const about = problem ? html` aria-invalid="true" aria-describedby="${id}-problem"` : ''
    return html`<label>${label}<input name="${id}" type="${type}" autocomplete="${complete}" required dir="auto"${about}></label>
${problem ? html`<p class="error" id="${id}-problem">${withFullStop(problem)}</p>` : ''}`
  }
  return page(
    unnamed(),
    html`<h1>${unnamed()}</h1>
<form method="post" enctype="multipart/form-data">
${password ? field('password', t`Password`, 'password', 'off') : ''}
${name ? field('name', t`Your name`, 'text', 'name') : ''}
<div><button>${t({ message: 'Open', context: 'verb' })}</button></div>
</form>`,
  )
}

/** `3 comments`, or null for none. */
export function countComments(count: number): string | null {
  return count === 0 ? null : t`${plural(count, { one: '# comment', other: '# comments' })}`
}

/** How the reader of a link stands to its collection, where the link lets people ask to become members. */
export type Standing = 'outside' | 'pending' | 'declined' | 'member'

interface SharedPage {
  dates: DateFormat
  /** Address of the page. */
  path: string
  /** Of the next one. */
  more: string | null
  standing: Standing | null
  /** What the reader has sent, and an admin has not answered yet. */
  waiting: readonly OwnContribution[]
  /** The reader has signed in, and wrote something as a guest. */
  claims: boolean
  /** The reader's weekly mail; `asked`: they have just given an address. Null where the site sends no mail. */
  weekly: 'on' | 'asked' | 'off' | null
  /** Address of the picture for apps in which the link is sent; null if they may not show any of it. */
  preview: string | null
  /** Why what the reader asked for was not done. */
  problem?: string | undefined
}

/** A tile that opens the page of an asset. `more` is said of it beside its name. */
export function assetTile(asset: PostAsset, { path, link, more = [] }: { path: string; link: string; more?: (string | null)[] }): Html {
  const version = `v=${asset.file_version ?? asset.version}&link=${link}`
  const name = asset.alt || asset.name
  const label = joined([isFilm(asset) ? t`Video ${name}` : name, ...more])
  const small = (['thumb', 'preview'] as const).find((size) => asset.renditions.includes(size))
  return html`<li><a href="${path}/asset/${asset.id}"${small && isFilm(asset) ? html` class="film"` : ''}>${
    small
      ? html`<img src="/api/asset/${asset.id}/renditions/${small}?${version}" alt="${label}" loading="lazy" decoding="async">`
      : html`<span dir="auto">${asset.name}</span>`
  }</a></li>`
}

/** Below the title: how the reader stands, and where they can ask or add something. */
function standingLine({ collectionId, allows }: Shared['head'], { path, standing, problem, waiting }: SharedPage): Html | '' {
  const lines: Record<Standing, Html> = {
    member: html`${t`You are a member of this collection.`} <a href="/collections/timeline?c=${collectionId}">${t`Open it in Cairn`}</a>`,
    pending: html`${t`You have asked to become a member. Once an admin accepts, you will find the collection in Cairn.`}`,
    declined: html`${t`An admin has declined your request to become a member.`}`,
    outside: html`<a href="#join">${t`Become a member`}</a>`,
  }
  return html`${allows === 'add' ? html`<p class="standing"><a href="#add">${t`Add photos`}</a>${waiting.length > 0 ? ` · ${waitingText(waiting.length)}` : ''}</p>` : ''}${standing ? html`<p class="standing">${lines[standing]}</p>` : ''}${standing === 'pending' ? withdrawForm(path) : ''}${problem ? html`<p class="error standing" role="alert">${withFullStop(problem)}</p>` : ''}`
}

const withdrawForm = (path: string) =>
  html`<form class="standing" method="post" enctype="multipart/form-data" action="${path}/withdraw"><div><button>${t`Take back my request`}</button></div></form>`

/** Below everything else, since most come to look. */
const joinPart = (path: string) => html`<section id="join" class="box" aria-label="${t`Become a member`}">
<p>${t`With an account you can ask to become a member. Admins of the collection then see your name and e-mail address, and accept or decline.`}</p>
<form method="post" enctype="multipart/form-data" action="${path}/join"><div><button>${t`Ask to join`}</button></div></form>
</section>`

const waitingText = (count: number) => t`${plural(count, { one: '# file waits for an admin', other: '# files wait for an admin' })}`

/** The form for files, which web/guest takes over, and what waits of those that were sent. */
const addPart = (
  { link, guest, approve }: Shared['head'],
  { path, waiting }: SharedPage,
) => html`<section id="add" class="box" aria-label="${t`Add photos`}">
<form method="post" enctype="multipart/form-data" action="${path}/add" data-link="${link}">
${guest === null ? html`<label>${t`Your name`}<input name="name" autocomplete="name" maxlength="60" required dir="auto"></label>` : ''}
<label>${t`Photos, videos or other files`}<input type="file" name="files" multiple required></label>
${approve ? html`<p class="note">${t`An admin looks at them before others see them.`}</p>` : ''}
<p class="note" id="at-once">${t`At most 12 MB at once.`}</p>
<div><button>${t`Add`}</button></div>
<p class="note sending" role="status"></p>
</form>
<script src="/guest.js" defer></script>
${
  waiting.length === 0
    ? ''
    : html`<h2>${t`Waiting for an admin`}</h2>
<ul class="waiting">${waiting.map(
        ({ id, name }) => html`<li><span dir="auto">${name}</span>
<form method="post" enctype="multipart/form-data" action="${path}/take-back"><input type="hidden" name="id" value="${id}"><button aria-label="${t`Take back ${name}`}">${t`Take back`}</button></form></li>`,
      )}</ul>`
}
</section>`

/** Pixels of the picture for apps in which the link is sent. */
export const PREVIEW = { width: 1200, height: 630 }

/** `picture` is null where there is none. Apps that find no title here would take that of the page. */
const previewTags = (title: string, picture: string | null) => html`<meta property="og:site_name" content="Cairn">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
${
  picture === null
    ? ''
    : html`<meta property="og:image" content="${picture}">
<meta name="twitter:card" content="summary_large_image">`
}`

const VIEWS: [path: string, label: Said][] = [
  ['media', msg`Media`],
  ['timeline', msg`Timeline`],
  ['calendar', msg`Calendar`],
  ['map', msg`Map`],
]

/** Views of the app, which the guest may open as well. They must not learn the address of this page. */
const viewLinks = ({ collectionId, link }: Shared['head']) =>
  html`<nav class="standing" aria-label="${t`Views`}">${VIEWS.map(
    ([view, label], nth) =>
      html`${nth > 0 ? ' · ' : ''}<a rel="noreferrer" href="/collections/${view}?c=${collectionId}&link=${link}">${say(label)}</a>`,
  )}</nav>`

const claimPart = (path: string) => html`<section class="box" aria-label="${t`What you left here`}">
<p>${t`You wrote or added something here as a guest. Now that you have signed in, you can make it yours: it then has the name of your account. As a member of the collection you can change it in Cairn.`}</p>
<form method="post" enctype="multipart/form-data" action="${path}/claim"><div><button>${t`Make it mine`}</button></div></form>
</section>`

const weeklyPart = (path: string, weekly: 'on' | 'asked' | 'off') => html`<section id="weekly" class="box" aria-label="${t`Weekly mail`}">
${
  weekly === 'on'
    ? html`<p>${t`You get a mail with what is new, each Monday morning.`}</p>
<form method="post" enctype="multipart/form-data" action="${path}/weekly-end"><div><button>${t`End weekly mail`}</button></div></form>`
    : weekly === 'asked'
      ? html`<p role="status">${t`Check your inbox: we have sent you a mail with a link. Your weekly mail begins once you open it and confirm.`}</p>`
      : html`<p>${t`Get a mail with what is new, each Monday morning. Members of the collection do not see your address.`}</p>
<form method="post" enctype="multipart/form-data" action="${path}/weekly">
<label>${t`Your e-mail address`}<input name="email" type="email" autocomplete="email" maxlength="254" required></label>
<div><button>${t`Get a weekly mail`}</button></div></form>`
}
</section>`

/** The posts and photos that a link shows. */
export function sharedPage({ head, posts, assets }: Shared, shown: SharedPage) {
  const { dates, path, more, standing, preview } = shown
  const { title, link } = head
  const tile = (asset: Asset) => assetTile(asset, { path, link, more: [dates.when(asset), countComments(asset.answers?.comments ?? 0)] })
  return page(
    title,
    html`<h1 dir="auto">${title}</h1>
${viewLinks(head)}
${standingLine(head, shown)}
${assets.length > 0 ? html`<ul class="photos" aria-label="${t`Photos and files`}">${assets.map(tile)}</ul>` : ''}
${posts.map(
  (post) => html`<article><h2 dir="auto">${post.title}</h2>
<p class="when">${[dates.when(post), post.location?.name, personName(post.user_name)].filter(Boolean).join(' · ')}</p>
<div dir="auto">${raw(post.body)}</div>
${head.answers ? html`<p class="note"><a href="${path}/post/${post.id}">${countComments(post.answers?.comments ?? 0) ?? t`Say something`}</a></p>` : ''}</article>`,
)}
${posts.length + assets.length === 0 ? html`<p class="note">${t`There is nothing here yet.`}</p>` : ''}
${more ? html`<a class="more" href="${more}">${t`Show more`}</a>` : ''}
${head.allows === 'add' ? addPart(head, shown) : ''}
${standing === 'outside' ? joinPart(path) : ''}
${shown.weekly === null ? '' : weeklyPart(path, shown.weekly)}
${shown.claims ? claimPart(path) : ''}`,
    preview === null
      ? previewTags(unnamed(), null)
      : previewTags(title, assets.some(({ renditions }) => renditions.includes('preview')) ? preview : null),
  )
}
