import { joined, shownLanguage } from '#language'
import { t } from '#say'
import { ARCHIVE_FILES, type ArchivedAsset, type ArchivedPost } from '../../../contract/archive.ts'
import type { DateFormat } from '../../../contract/date-format.ts'
import { directionOf } from '../../../contract/language/languages.ts'
import { personName } from '../../../contract/person-name.ts'
import { escapeHtml } from '../../../contract/text.ts'
import { withAbsoluteLinks } from '../../content/absolute-links.ts'
import { mayShowInline } from '../../media/sniff.ts'

/** Start of a page that is opened from disk: no scripts, no network. */
export const pageHead = (name: string, line: string) => `<!doctype html>
<html lang="${shownLanguage()}" dir="${directionOf(shownLanguage())}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="script-src 'none'; connect-src 'none'; frame-src 'none'; form-action 'none'">
<title>${escapeHtml(name)}</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>${escapeHtml(name)}</h1><p>${escapeHtml(line)}</p></header>
<main>
`

export const PAGE_END = '</main>\n</body>\n</html>\n'

const STYLE = `
:root{color-scheme:light dark;--line:color-mix(in oklab,currentColor 15%,transparent);--muted:color-mix(in oklab,currentColor 65%,transparent)}
body{font:16px/1.6 system-ui,sans-serif;margin:0 auto;max-width:46rem;padding:2.5rem 1.25rem 5rem}
h1{font-size:2rem;line-height:1.2;margin:0}h2{font-size:1.25rem;margin:0 0 .25rem}header p,.about{color:var(--muted);font-size:.875rem;margin:.25rem 0}
article{border-top:1px solid var(--line);margin-top:2.5rem;padding-top:2rem}.body{overflow-wrap:anywhere}
.pictures{display:grid;gap:.5rem;grid-template-columns:repeat(auto-fill,minmax(12rem,1fr));margin-top:1rem}
figure{margin:0}img,video{aspect-ratio:1;background:var(--line);border-radius:.5rem;display:block;object-fit:cover;width:100%}audio{width:100%}
figcaption{color:var(--muted);font-size:.75rem;margin-top:.25rem;overflow-wrap:anywhere}figcaption a{color:inherit;text-decoration:none}blockquote{border-inline-start:3px solid var(--line);margin-inline-start:0;padding-inline-start:1rem}`

interface Shown extends Pick<ArchivedAsset, 'name' | 'type'> {
  file: string
  alt?: string | null
}

interface PageContext {
  /** Names by id. */
  people: ReadonlyMap<string, string>
  dates: DateFormat
  /** The site's, on which relative links of posts stay. */
  origin: string
}

/** `assets` are those of the post. `post.body` must be sanitised HTML. */
export function postHtml(post: ArchivedPost, assets: readonly Shown[], { people, dates, origin }: PageContext): string {
  const names = post.people.flatMap((id) => people.get(id) ?? [])
  const about = [dates.when(post), post.location?.name, joined(names), t`by ${{ author: personName(post.author) }}`]
    .filter(Boolean)
    .join(' · ')
  return `<article><h2>${escapeHtml(post.title)}</h2><p class="about">${escapeHtml(about)}</p><div class="body">${withAbsoluteLinks(post.body, origin)}</div>${pictures(assets)}</article>\n`
}

export function filesHead(count: number): string {
  const folder = ARCHIVE_FILES.originals.slice(0, -1)
  const about = t({ message: `${count} in the folder ${folder}`, comment: 'So many photos and files' })
  return `<article><h2>${escapeHtml(t`Photos and files`)}</h2><p class="about">${escapeHtml(about)}</p><div class="pictures">\n`
}
export const FILES_END = '</div></article>\n'

function pictures(assets: readonly Shown[]): string {
  return assets.length > 0 ? `<div class="pictures">\n${assets.map((asset) => figure(asset)).join('')}</div>` : ''
}

export function figure({ file, name, type, alt }: Shown, about = ''): string {
  const path = escapeHtml(file.split('/').map(encodeURIComponent).join('/'))
  const caption = [about, alt || name].filter(Boolean).join(' · ')
  return `<figure>${shown(path, type, alt || name)}<figcaption><a href="${path}">${escapeHtml(caption)}</a></figcaption></figure>\n`
}

function shown(path: string, type: string, words: string): string {
  if (!mayShowInline(type)) return ''
  if (type.startsWith('image/')) return `<a href="${path}"><img loading="lazy" src="${path}" alt="${escapeHtml(words)}"></a>`
  if (type.startsWith('video/')) return `<video controls preload="none" src="${path}"></video>`
  return type.startsWith('audio/') ? `<audio controls preload="none" src="${path}"></audio>` : ''
}
