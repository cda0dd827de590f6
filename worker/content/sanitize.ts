import { type Token, Tokenizer, TokenizerMode } from 'parse5'
import { BLOCK_TAGS, DROPPED_TAGS, INLINE_TAGS, safeAttributes } from '../../contract/rich-text.ts'
import { escapeHtml } from '../../contract/text.ts'
import { unescaped } from './absolute-links.ts'

const BLOCKS = new Set(BLOCK_TAGS)
const INLINES = new Set(INLINE_TAGS)
const DROPPED = new Set(DROPPED_TAGS)

/** Elements of DROPPED in which a browser parses no tags but their own end tag. */
const RAW_TEXT = new Set('script style iframe noscript textarea title xmp noembed noframes'.split(' '))

/** Deeper elements lose their tags. An editor makes about ten levels, and thousands make a browser slow. */
const MAX_DEPTH = 40

/**
 * Reduces HTML to the allow-list of elements, balances tags and escapes text. Idempotent.
 *
 * parse5 tokenises like a browser, but the tree is a short stack of our own: the full algorithm of browsers takes quadratic time and memory
 * for hostile nesting, and an allow-list of inert tags does not need the rest of it.
 */
export function sanitizeHtml(html: string): string {
  const writer = new Writer()
  let dropping: { name: string; depth: number } | null = null

  const text = ({ chars }: Token.CharacterToken) => {
    if (!dropping) writer.text(chars)
  }
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onStartTag(tag) {
        const name = tag.tagName
        if (dropping) {
          if (name === dropping.name && !tag.selfClosing) dropping.depth++
          return
        }
        if (!DROPPED.has(name)) return writer.open(name, tag.attrs)
        // Only SVG and MathML have self-closing tags.
        if (tag.selfClosing && (name === 'svg' || name === 'math')) return
        dropping = { name, depth: 1 }
        if (RAW_TEXT.has(name)) tokenizer.state = name === 'script' ? TokenizerMode.SCRIPT_DATA : TokenizerMode.RAWTEXT
      },
      onEndTag({ tagName }) {
        if (!dropping) writer.close(tagName)
        else if (tagName === dropping.name && --dropping.depth === 0) dropping = null
      },
      onCharacter: text,
      onWhitespaceCharacter: text,
      onNullCharacter() {},
      onComment() {},
      onDoctype() {},
      onEof() {},
    },
  )
  tokenizer.write(html.toWellFormed(), true)
  return writer.finish()
}

/** Writes allowed tags, properly nested. */
class Writer {
  private readonly out: string[] = []
  private readonly stack: string[] = []
  /** Number of open elements by name, which avoids most searches of the stack. */
  private readonly counts: Record<string, number> = {}

  text(chars: string): void {
    this.out.push(escaped(plain(chars)))
  }

  open(name: string, attrs: Token.Attribute[]): void {
    if (name === 'br') {
      this.out.push('<br>')
      return
    }
    if (!BLOCKS.has(name) && !INLINES.has(name)) return
    this.makeRoomFor(name)
    if (this.stack.length >= MAX_DEPTH) return
    this.stack.push(name)
    this.counts[name] = (this.counts[name] ?? 0) + 1
    this.out.push(`<${name}${attributes(name, attrs)}>`)
  }

  close(name: string): void {
    const at = this.lastOpen(name)
    if (at < 0) return
    const inside = this.stack.slice(at + 1)
    // A misplaced inline end tag must not close a block, nor a misplaced </li> an outer item.
    const blocked = INLINES.has(name) ? inside.some((open) => BLOCKS.has(open)) : name === 'li' && inside.some(isList)
    if (!blocked) this.popTo(at)
  }

  finish(): string {
    this.popTo(0)
    return this.out.join('')
  }

  /** Closes elements that cannot contain this one, like a browser: a block closes a paragraph, and headings, items and links their own kind. */
  private makeRoomFor(name: string): void {
    if (name === 'a') this.popFrom('a')
    if (!BLOCKS.has(name)) return
    if (name === 'li') {
      const list = Math.max(this.lastOpen('ul'), this.lastOpen('ol'))
      const item = this.lastOpen('li')
      if (item > list) this.popTo(item)
    }
    this.popFrom('p')
    if (isHeading(name) && isHeading(this.stack.at(-1) ?? '')) this.popTo(this.stack.length - 1)
  }

  private popFrom(name: string): void {
    const at = this.lastOpen(name)
    if (at >= 0) this.popTo(at)
  }

  private popTo(length: number): void {
    for (const name of this.stack.splice(length).reverse()) {
      this.counts[name] = (this.counts[name] ?? 0) - 1
      this.out.push(`</${name}>`)
    }
  }

  private lastOpen(name: string): number {
    return this.counts[name] ? this.stack.lastIndexOf(name) : -1
  }
}

const isList = (name: string) => name === 'ul' || name === 'ol'
const isHeading = (name: string) => /^h[1-6]$/.test(name)

function attributes(name: string, attrs: Token.Attribute[]): string {
  const safe = safeAttributes(name, (attribute) => attrs.find((attr) => attr.name === attribute)?.value)
  return safe.map(([attribute, value]) => (value === null ? '' : ` ${attribute}="${escaped(value)}"`)).join('')
}

/** Writes no-break spaces as entities, because they are invisible in source. */
function escaped(text: string): string {
  return escapeHtml(text).replaceAll('\u00a0', '&nbsp;')
}

/** Removes control characters, which may come from references, and replaces carriage returns, which the next parse would change. */
function plain(text: string): string {
  return text.replace(/\r/g, '\n').replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]+/g, '')
}

/** The text of sanitised HTML, a line for each block. Only for HTML from `sanitizeHtml`. */
export function plainText(html: string): string {
  const lines = html
    .replace(/<br[^<>]*>/g, '\n')
    .replace(/<li[^<>]*>/g, '• ')
    .replace(/<\/(?:p|div|li|h[1-6]|blockquote|ul|ol)>/g, '\n')
    .replace(/<[^<>]*>/g, '')
  return unescaped(lines)
    .replaceAll('\u00a0', ' ')
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
