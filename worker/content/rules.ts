/** Elements allowed in a post's text. Others are removed, but their text stays unless they are in DROPPED. */
export const BLOCKS = new Set(['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote'])
export const INLINES = new Set(['strong', 'b', 'em', 'i', 'u', 'span', 'a'])

/** Elements that are removed with their content, because it is not text of the author. */
export const DROPPED = new Set(
  'script style svg math iframe object applet audio video canvas noscript template textarea title xmp noembed noframes select head'.split(
    ' ',
  ),
)

/** Elements of DROPPED in which a browser parses no tags but their own end tag. */
export const RAW_TEXT = new Set('script style iframe noscript textarea title xmp noembed noframes'.split(' '))

/** Deeper elements lose their tags. An editor makes about ten levels, and thousands make a browser slow. */
export const MAX_DEPTH = 40

const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

/** The normalised URL, or null if it is relative or has another protocol. */
export function safeHref(value: string): string | null {
  const url = URL.parse(value)
  return url && SAFE_PROTOCOLS.has(url.protocol) ? url.href : null
}

/** The first ten valid class names, or null. */
export function safeClass(value: string): string | null {
  const names = value.split(/\s+/).filter((name) => /^[a-z][\w-]{0,39}$/i.test(name))
  return names.slice(0, 10).join(' ') || null
}

/** Keeps known values of `rel`. With a target it always has noopener and noreferrer, so that the page cannot access ours. */
export function safeRel(value: string | undefined, hasTarget: boolean): string | null {
  const given = (value ?? '').toLowerCase().split(/\s+/)
  const names = ['noopener', 'noreferrer', 'nofollow', 'ugc', 'external'].filter(
    (name) => given.includes(name) || (hasTarget && (name === 'noopener' || name === 'noreferrer')),
  )
  return names.join(' ') || null
}
