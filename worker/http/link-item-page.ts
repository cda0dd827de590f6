import { html, raw } from 'hono/html'
import { joined } from '#language'
import { t } from '#say'
import type { Asset } from '../../contract/assets.ts'
import type { Comment } from '../../contract/comments.ts'
import type { DateFormat } from '../../contract/date-format.ts'
import { COMMON_EMOJI } from '../../contract/emoji.ts'
import { withFullStop } from '../../contract/full-stop.ts'
import { newId } from '../../contract/ids.ts'
import { personName } from '../../contract/person-name.ts'
import type { Post } from '../../contract/posts.ts'
import { mayShowInline } from '../media/sniff.ts'
import type { Neighbours } from '../queries/guests.ts'
import type { SharedItem } from '../services/links/read-shared.ts'
import { assetTile, countComments, type Html, page } from './link-page.ts'

/** So many of the common reactions are offered, and those that others chose. */
const OFFERED = 8

interface ItemPage {
  dates: DateFormat
  /** Address of everything that the link shows. */
  all: string
  /** Of a long thread, comments after the first page. */
  isLater: boolean
  /** What the guest wrote, and why it was not taken. */
  problem: { text: string; message: string } | undefined
}

/** One post or photo that a link shows, what was said about it, and where the link allows it, the forms to answer. */
export function itemPage({ head, item, own, comments, after, previous, next }: SharedItem, { dates, all, isLater, problem }: ItemPage) {
  const isPost = 'body' in item
  const title = isPost ? item.title : item.alt || item.name
  const { answers } = head
  return page(
    title,
    html`<p class="note"><a href="${all}">${t`← ${{ collection: head.title }}`}</a></p>
<h1 dir="auto">${title}</h1>
<p class="note">${[dates.when(item), item.location?.name, personName(item.user_name)].filter(Boolean).join(' · ')}</p>
<div class="item" dir="auto">${isPost ? raw(item.body) : shown(item, head)}</div>
${isPost && item.assets.length > 0 ? html`<ul class="photos" aria-label="${t`Photos and files`}">${item.assets.map((asset) => assetTile(asset, { path: all, link: head.link }))}</ul>` : ''}
${besideLinks({ previous, next }, `${all}/${isPost ? 'post' : 'asset'}`)}
${own ? html`<form method="post" enctype="multipart/form-data" action="${all}/take-back"><input type="hidden" name="id" value="${item.id}"><div><button>${t`Remove`}</button></div></form>` : ''}
${problem ? html`<p class="error" id="problem" role="alert">${withFullStop(problem.message)}${answers ? '' : ` ${t`You wrote: ${{ text: problem.text }}`}`}</p>` : ''}
${
  answers
    ? html`<section id="answers" aria-label="${t`Answers`}">
${reactionForms(item)}
<h2>${countComments(item.answers?.comments ?? 0) ?? t`No comments yet`}</h2>
${isLater ? html`<p class="note"><a href="?#answers">${t`First comments`}</a></p>` : ''}
<ol>${comments.map((comment) => commentItem(comment, dates))}</ol>
${after === null ? '' : html`<p class="note"><a href="?cursor=${after}#answers">${t`Later comments`}</a></p>`}
<form method="post" enctype="multipart/form-data">
<input type="hidden" name="id" value="${newId()}">
${head.guest === null ? html`<label>${t`Your name`}<input name="name" autocomplete="name" maxlength="60" required dir="auto"></label>` : ''}
<label>${t`Your comment`}<textarea name="text" rows="3" maxlength="2000" required dir="auto"${problem ? html` aria-describedby="problem"` : ''}>${problem?.text ?? ''}</textarea></label>
<div><button>${t`Send`}</button></div>
</form>
</section>`
    : ''
}`,
  )
}

/** To the items before and after this one. */
function besideLinks({ previous, next }: Neighbours, at: string): Html | '' {
  if (previous === null && next === null) return ''
  return html`<nav class="beside" aria-label="${t`Before and after`}">${previous === null ? '' : html`<a href="${at}/${previous}" rel="prev">${t`← Previous`}</a>`}${next === null ? '' : html`<a href="${at}/${next}" rel="next">${t`Next →`}</a>`}</nav>`
}

/** A photo, a film or a sound; of other files the name, with the download where the link allows it. */
function shown(asset: Asset, { link, download }: SharedItem['head']): Html {
  const at = `/api/asset/${asset.id}`
  const version = `v=${asset.file_version ?? asset.version}&link=${link}`
  const rendition = (name: 'thumb' | 'preview' | 'film') => (asset.renditions.includes(name) ? `${at}/renditions/${name}?${version}` : null)
  const still = rendition('preview') ?? rendition('thumb')
  const film = rendition('film') ?? (asset.type.startsWith('video/') && mayShowInline(asset.type) ? `${at}/file?${version}` : null)
  const sound = asset.type.startsWith('audio/') && mayShowInline(asset.type) ? `${at}/file?${version}` : null
  const poster = still ? html` poster="${still}"` : ''
  const body = film
    ? html`<video controls preload="metadata" src="${film}"${poster}></video>`
    : sound
      ? html`<audio controls preload="metadata" src="${sound}"></audio>`
      : still
        ? html`<img src="${still}" alt="${asset.alt || asset.name}">`
        : html`<p class="note">${t`${{ name: asset.name }} cannot be shown here.`}</p>`
  return html`${body}${download ? html`<p class="note"><a href="${at}/file?${version}&download=1" download>${t`Download the original`}</a></p>` : ''}`
}

/** A button for each reaction, which leaves it or takes it back. */
function reactionForms({ answers }: Pick<Post | Asset, 'answers'>): Html {
  const given = answers?.reactions ?? []
  const emoji = new Set<string>([...given.map((reaction) => reaction.emoji), ...COMMON_EMOJI.slice(0, OFFERED).map(([one]) => one)])
  return html`<div class="reactions">${[...emoji].map((one) => {
    const { count = 0, mine = false, who = [] } = given.find((reaction) => reaction.emoji === one) ?? {}
    return html`<form method="post" enctype="multipart/form-data"><input type="hidden" name="emoji" value="${one}">${
      mine ? html`<input type="hidden" name="off" value="1">` : ''
    }<button aria-pressed="${String(mine)}" title="${joined(who.map(({ name, original_author }) => original_author ?? personName(name)))}">${one}${count > 0 ? ` ${count}` : ''}</button></form>`
  })}</div>`
}

function commentItem({ id, author, created_at, edited_at, state, text }: Comment, dates: DateFormat): Html {
  const when = dates.when({ date: created_at, date_zone: 'UTC', date_precision: 'day' })
  const said =
    state === 'shown'
      ? html`<p dir="auto">${text}</p>`
      : html`<p class="note">${state === 'hidden' ? t`Hidden by an admin.` : t`Deleted.`}</p>`
  return html`<li id="c-${id}"><p class="note"><strong>${author.original_author ?? personName(author.name)}</strong>${importedBy(author)} · ${when}${edited_at ? ` · ${t`edited`}` : ''}</p>${said}</li>`
}

const importedBy = ({ name, original_author }: Comment['author']) =>
  original_author === undefined || original_author === name ? '' : ` · ${t`imported by ${{ name: personName(name) }}`}`
