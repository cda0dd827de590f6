import DOMPurify from 'dompurify'

/** Elements allowed in a post's text; worker/content/rules.ts has the same. */
const ALLOWED_TAGS = 'p br strong b em i u span div h1 h2 h3 h4 h5 h6 ul ol li blockquote a'.split(' ')
const ALLOWED_ATTRIBUTES = ['href', 'target', 'rel', 'class']

const LINKS = /^(?:https?:|mailto:)/i

let purifier: ReturnType<typeof DOMPurify> | null = null

/**
 * Rich text that is safe to put on the page. The worker sanitises before it stores; this is the second line of defence. Empty where
 * DOMPurify cannot run.
 */
export function sanitizeHtml(dirty: string): string {
  purifier ??= create()
  // Where it is unsupported, DOMPurify silently returns its input unchanged.
  if (!purifier.isSupported) return ''
  return purifier.sanitize(dirty, {
    ALLOWED_TAGS,
    ALLOWED_ATTR: ALLOWED_ATTRIBUTES,
    ALLOWED_URI_REGEXP: LINKS,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  })
}

function create(): ReturnType<typeof DOMPurify> {
  const own = DOMPurify(window)
  own.addHook('afterSanitizeAttributes', (node) => {
    if (node.tagName !== 'A') return
    node.setAttribute('target', '_blank')
    node.setAttribute('rel', 'noopener noreferrer nofollow')
  })
  return own
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Plain text as paragraphs: an empty line begins a new one, a line break stays one. */
export function paragraphsOf(text: string): string {
  const escaped = (part: string) => part.replace(/[&<>"]/g, (c) => ENTITIES[c] ?? c)
  return text
    .trim()
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => `<p>${escaped(part.trim()).replace(/\n/g, '<br>')}</p>`)
    .join('')
}
