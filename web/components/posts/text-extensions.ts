import { type AnyExtension, Extension } from '@tiptap/core'
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

const SAFE = /^(?:https?:\/\/|mailto:)\S+$/i

/** An address as somebody types it, ready to be linked; null where it leads nowhere that is allowed. */
export function linkOf(typed: string): string | null {
  const text = typed.trim()
  if (SAFE.test(text)) return text
  if (/^[^\s@/]+@[^\s@]+\.[^\s@]+$/.test(text)) return `mailto:${text}`
  return /^[^\s:/?#]+\.[^\s]+$/.test(text) ? `https://${text}` : null
}

/** What a post's text can be made of: the allow-list of spec §5 and nothing else. */
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
    // The allow-list has no attribute for where a list begins.
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
    // What opens a new page is said where the text is shown; what is not named here stays as the extension has it.
    Link.extend({ inclusive: false, addAttributes: () => ({ href: { default: null } }) }).configure({
      openOnClick: false,
      markdownLinks: true,
      defaultProtocol: 'https',
      HTMLAttributes: { target: null, rel: null, class: null },
      isAllowedUri: (url) => SAFE.test(url),
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
