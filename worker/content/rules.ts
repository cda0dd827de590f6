/** What a post's text may contain (spec §5). Everything else is left out; the text inside it stays unless it is in DROPPED. */
export const BLOCKS = new Set(['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote'])
export const INLINES = new Set(['strong', 'b', 'em', 'i', 'u', 'span', 'a'])

/** Elements that go with all they hold, because it is not text of the author. */
export const DROPPED = new Set(
  'script style svg math iframe object applet audio video canvas noscript template textarea title xmp noembed noframes select head'.split(
    ' ',
  ),
)

/** Of those, the ones in which a browser sees no tags but their own end. */
export const RAW_TEXT = new Set('script style iframe noscript textarea title xmp noembed noframes'.split(' '))

/** Deeper elements lose their tags: an editor makes ten levels, and a browser takes long over thousands. */
export const MAX_DEPTH = 40

const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

/** The address as a browser understands it, or null where it is relative or could run something. */
export function safeHref(value: string): string | null {
  const url = URL.parse(value)
  return url && SAFE_PROTOCOLS.has(url.protocol) ? url.href : null
}

/** Names as an editor writes them; at most ten. */
export function safeClass(value: string): string | null {
  const names = value.split(/\s+/).filter((name) => /^[a-z][\w-]{0,39}$/i.test(name))
  return names.slice(0, 10).join(' ') || null
}

/** What the other page may learn: with a target it must not reach back to ours. */
export function safeRel(value: string | undefined, hasTarget: boolean): string | null {
  const given = (value ?? '').toLowerCase().split(/\s+/)
  const names = ['noopener', 'noreferrer', 'nofollow', 'ugc', 'external'].filter(
    (name) => given.includes(name) || (hasTarget && (name === 'noopener' || name === 'noreferrer')),
  )
  return names.join(' ') || null
}
