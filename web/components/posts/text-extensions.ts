import { type AnyExtension, Extension, Mark } from '@tiptap/core'
import { Blockquote } from '@tiptap/extension-blockquote'
import { Bold } from '@tiptap/extension-bold'
import { Document } from '@tiptap/extension-document'
import { HardBreak } from '@tiptap/extension-hard-break'
import { Heading } from '@tiptap/extension-heading'
import { Italic } from '@tiptap/extension-italic'
import { Link } from '@tiptap/extension-link'
import { BulletList, ListItem, ListKeymap, OrderedList } from '@tiptap/extension-list'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Text } from '@tiptap/extension-text'
import { Underline } from '@tiptap/extension-underline'
import { Placeholder, UndoRedo } from '@tiptap/extensions'
import { safeClass, safeHref } from '../../../contract/rich-text.ts'

/** Normalises a typed address for a link; null when it is not allowed. */
export function linkOf(typed: string): string | null {
  const text = typed.trim()
  if (/^(?:[a-z][a-z\d+.-]*:|[/#?])/i.test(text)) return /\s/.test(text) ? null : safeHref(text)
  if (/^[^\s@/]+@[^\s@]+\.[^\s@]+$/.test(text)) return `mailto:${text}`
  return /^[^\s:/?#]+\.[^\s]+$/.test(text) ? `https://${text}` : null
}

/** Only what is surely meant as a link: not every word with a dot. */
const isWholeAddress = (text: string) => /^(?:https?:\/\/|mailto:)\S+$/i.test(text)

const classOf = (element: HTMLElement) => safeClass(element.getAttribute('class') ?? '')

/** Keeps the classes that came through the API, as far as text may have them. */
const Span = Mark.create({
  name: 'span',
  excludes: '',
  parseHTML: () => [{ tag: 'span[class]', getAttrs: (span) => classOf(span) !== null && null }],
  renderHTML: ({ HTMLAttributes }) => ['span', HTMLAttributes, 0],
})

const CLASSED = [
  'paragraph',
  'heading',
  'bulletList',
  'orderedList',
  'listItem',
  'blockquote',
  'bold',
  'italic',
  'underline',
  'link',
  'span',
]

/** The elements of a post's text: this allow-list and nothing else. */
export function textExtensions(placeholder: string, onLink: () => void): AnyExtension[] {
  return [
    Document,
    Paragraph,
    Text,
    Bold,
    Italic,
    Underline,
    Heading,
    BulletList,
    // The allow-list has no attribute for the first number of a list.
    OrderedList.extend({ addAttributes: () => ({}) }),
    ListItem,
    ListKeymap,
    Blockquote,
    // Ctrl-Enter saves.
    HardBreak.extend({
      addKeyboardShortcuts() {
        return { 'Shift-Enter': () => this.editor.commands.setHardBreak() }
      },
    }),
    // Attributes for new tabs are added where the text is shown; options that are not named here keep the extension's defaults.
    Link.extend({
      inclusive: false,
      addAttributes: () => ({ href: { default: null }, target: { default: null }, rel: { default: null } }),
    }).configure({
      openOnClick: false,
      markdownLinks: true,
      defaultProtocol: 'https',
      HTMLAttributes: { target: null, rel: null, class: null },
      isAllowedUri: (url) => safeHref(url) !== null,
      shouldAutoLink: isWholeAddress,
    }),
    Span,
    Extension.create({
      name: 'classes',
      addGlobalAttributes: () => [{ types: CLASSED, attributes: { class: { default: null, keepOnSplit: false, parseHTML: classOf } } }],
    }),
    Extension.create({
      name: 'linkKey',
      addKeyboardShortcuts: () => ({
        'Mod-k': () => {
          onLink()
          return true
        },
      }),
    }),
    Placeholder.configure({ placeholder }),
    UndoRedo,
  ]
}
