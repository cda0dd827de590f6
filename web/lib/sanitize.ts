import DOMPurify from 'dompurify'
import { ALLOWED_TAGS, DROPPED_TAGS, safeAttributes } from '../../contract/rich-text.ts'
import { escapeHtml } from '../../contract/text.ts'

const ALLOWED_ATTRIBUTES = ['href', 'target', 'rel', 'class']

type Purifier = ReturnType<typeof DOMPurify>
let purifier: Purifier | null = null
let displayPurifier: Purifier | null = null

/** Rich text of the allow-list, as the worker stores it. Empty where DOMPurify cannot run. */
export function sanitizeHtml(dirty: string): string {
  purifier ??= create()
  return purify(purifier, dirty)
}

/**
 * Rich text that is safe to put on the page. The worker sanitises before it stores; this is the second line of defence. Links to other
 * sites open in a new tab.
 */
export function displayHtml(dirty: string): string {
  displayPurifier ??= create(openOutside)
  return purify(displayPurifier, dirty)
}

function purify(by: Purifier, dirty: string): string {
  // Where it is unsupported, DOMPurify silently returns its input unchanged.
  if (!by.isSupported) return ''
  return by.sanitize(dirty, {
    ALLOWED_TAGS,
    ALLOWED_ATTR: ALLOWED_ATTRIBUTES,
    FORBID_CONTENTS: DROPPED_TAGS,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // It would make a policy of its own, for each purifier. The default one lets it parse (web/head/default-policy.ts).
    TRUSTED_TYPES_POLICY: null,
  })
}

function create(finish?: (link: Element) => void): Purifier {
  const own = DOMPurify(window)
  own.addHook('afterSanitizeAttributes', (node) => {
    for (const [name, value] of safeAttributes(node.tagName, (attribute) => node.getAttribute(attribute))) {
      if (value === null) node.removeAttribute(name)
      else node.setAttribute(name, value)
    }
    if (node.tagName === 'A') finish?.(node)
  })
  return own
}

function openOutside(link: Element): void {
  if (!/^https?:/.test(link.getAttribute('href') ?? '')) return
  if (!link.hasAttribute('target')) link.setAttribute('target', '_blank')
  const given = link.getAttribute('rel')?.split(' ') ?? []
  link.setAttribute('rel', [...new Set([...given, 'noopener', 'noreferrer', 'nofollow'])].join(' '))
}

/** Plain text as paragraphs: an empty line begins a new one, a line break stays one. */
export function paragraphsOf(text: string): string {
  return text
    .trim()
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => `<p>${escapeHtml(part.trim()).replace(/\n/g, '<br>')}</p>`)
    .join('')
}
