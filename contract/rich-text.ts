/** Elements allowed in the text of a post. Others are removed; their text stays unless they are in DROPPED_TAGS. */
export const BLOCK_TAGS = ['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote']
export const INLINE_TAGS = ['strong', 'b', 'em', 'i', 'u', 'span', 'a']
export const ALLOWED_TAGS = [...BLOCK_TAGS, ...INLINE_TAGS, 'br']

/** Elements that are removed with their content, because a browser does not show it as text. */
export const DROPPED_TAGS =
  'script style svg math iframe object applet audio video canvas noscript template textarea title xmp noembed noframes select'.split(' ')

const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/** Any origin will do: relative addresses stay on it, all others leave it. */
const SITE = 'https://relative.invalid'

/** The address of a link: normalised if it is absolute, as written if it is relative or a fragment. Null if its protocol is not allowed. */
export function safeHref(value: string): string | null {
  // The URL parser ignores these, so they must not hide a protocol.
  const written = value.replace(/[\t\n\r]/g, '').replace(/^[\u0000-\u0020]+|(?<![\u0000-\u0020])[\u0000-\u0020]+$/g, '')
  const absolute = URL.parse(written)
  if (absolute) return SAFE_PROTOCOLS.has(absolute.protocol) ? absolute.href : null
  const relative = URL.parse(written, SITE)
  if (!relative || written === '' || /^[a-z][a-z\d+.-]*:/i.test(written)) return null
  return relative.origin === SITE ? written : relative.href
}

/** Where a link opens: one of the keywords, or the name of a tab. */
function safeTarget(value: string): string | null {
  const target = value.toLowerCase()
  if (['_blank', '_self', '_parent', '_top'].includes(target)) return target
  return /^[a-z][\w-]{0,39}$/i.test(value) ? value : null
}

const RELATIONS = ['noopener', 'noreferrer', 'nofollow', 'ugc', 'external', 'me']

/** Keeps known values of `rel`. A link to another tab always has noopener and noreferrer, so that its page cannot access ours. */
function safeRel(value: string, target: string | null): string | null {
  const given = value.toLowerCase().split(/\s+/)
  const opensTab = target !== null && !['_self', '_parent', '_top'].includes(target)
  const kept = RELATIONS.filter((name) => given.includes(name) || (opensTab && (name === 'noopener' || name === 'noreferrer')))
  return kept.join(' ') || null
}

/**
 * Classes that the text of a post may have; web/components/rich-text.tsx styles them. No other name passes: with the app's own classes, text could look
 * like a part of the app, such as a dialog that asks for a password.
 */
export const TEXT_CLASSES = ['lead', 'small', 'center']

/** The allowed class names in the value, each once; null if there are none. */
export function safeClass(value: string): string | null {
  const given = value.split(/\s+/)
  return TEXT_CLASSES.filter((name) => given.includes(name)).join(' ') || null
}

/** Every attribute of the allow-list with its safe value for this element; null if the element must not have it. */
export function safeAttributes(tag: string, given: (name: string) => string | null | undefined): [name: string, value: string | null][] {
  const link = tag.toLowerCase() === 'a'
  const target = link ? safeTarget(given('target') ?? '') : null
  return [
    ['href', link ? safeHref(given('href') ?? '') : null],
    ['target', target],
    ['rel', link ? safeRel(given('rel') ?? '', target) : null],
    ['class', safeClass(given('class') ?? '')],
  ]
}
