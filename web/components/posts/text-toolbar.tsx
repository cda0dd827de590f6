import type { ChainedCommands, Editor } from '@tiptap/core'
import { type KeyboardEvent, useEffect, useReducer, useRef, useState } from 'react'
import { type Said, say } from '#language'
import { msg, t } from '#say'
import { readingKey } from '../../lib/reading-direction.ts'
import { cx } from '../../ui/cx.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { TOOLBAR } from './text-frame.ts'

interface Tool {
  icon: IconName
  label: Said
  keys?: string
  on: (editor: Editor) => boolean
  run: (chain: ChainedCommands) => ChainedCommands
}

const TOOLS: readonly Tool[] = [
  {
    icon: 'format-bold',
    label: msg({ message: 'Bold', context: 'formatting' }),
    keys: 'B',
    on: (e) => e.isActive('bold'),
    run: (c) => c.toggleBold(),
  },
  { icon: 'format-italic', label: msg`Italic`, keys: 'I', on: (e) => e.isActive('italic'), run: (c) => c.toggleItalic() },
  {
    icon: 'format-underlined',
    label: msg({ message: 'Underline', context: 'formatting' }),
    keys: 'U',
    on: (e) => e.isActive('underline'),
    run: (c) => c.toggleUnderline(),
  },
  {
    icon: 'format-h1',
    label: msg({ message: 'Heading', context: 'formatting' }),
    on: (e) => e.isActive('heading', { level: 2 }),
    run: (c) => c.toggleHeading({ level: 2 }),
  },
  {
    icon: 'format-h2',
    label: msg`Smaller heading`,
    on: (e) => e.isActive('heading', { level: 3 }),
    run: (c) => c.toggleHeading({ level: 3 }),
  },
  {
    icon: 'format-list-bulleted',
    label: msg({ message: 'List', context: 'noun' }),
    on: (e) => e.isActive('bulletList'),
    run: (c) => c.toggleBulletList(),
  },
  { icon: 'format-list-numbered', label: msg`Numbered list`, on: (e) => e.isActive('orderedList'), run: (c) => c.toggleOrderedList() },
  {
    icon: 'format-quote',
    label: msg({ message: 'Quote', context: 'formatting' }),
    on: (e) => e.isActive('blockquote'),
    run: (c) => c.toggleBlockquote(),
  },
]

interface TextToolbarProps {
  editor: Editor | null
  linking: boolean
  onLink: () => void
}

/** One stop of the Tab key; the arrow keys move within it. */
export function TextToolbar({ editor, linking, onLink }: TextToolbarProps) {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [stop, setStop] = useState(0)
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    editor?.on('transaction', redraw)
    return () => {
      editor?.off('transaction', redraw)
    }
  }, [editor])
  const move = (event: KeyboardEvent) => {
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])]
    const to = { ArrowRight: stop + 1, ArrowLeft: stop - 1, Home: 0, End: buttons.length - 1 }[readingKey(event)]
    if (to === undefined) return
    event.preventDefault()
    buttons.at(to % buttons.length)?.focus()
  }
  const linked = editor?.isActive('link') ?? false
  return (
    <div ref={bar} role="toolbar" aria-label={t`Formatting`} className={TOOLBAR} onKeyDown={move}>
      {TOOLS.map(({ icon, label, keys, on, run }, index) => (
        <ToolButton
          key={icon}
          icon={icon}
          label={say(label)}
          keys={keys}
          pressed={editor ? on(editor) : false}
          tabIndex={stop === index ? 0 : -1}
          onFocus={() => setStop(index)}
          onClick={() => editor && run(editor.chain().focus()).run()}
        />
      ))}
      <ToolButton
        icon="link"
        label={t({ message: 'Link', context: 'noun' })}
        keys="K"
        pressed={linked || linking}
        tabIndex={stop === TOOLS.length ? 0 : -1}
        onFocus={() => setStop(TOOLS.length)}
        onClick={onLink}
      />
    </div>
  )
}

interface ToolButtonProps {
  icon: IconName
  label: string
  /** Pressed with Ctrl. */
  keys: string | undefined
  pressed: boolean
  tabIndex: number
  onFocus: () => void
  onClick: () => void
}

function ToolButton({ icon, label, keys, pressed, ...rest }: ToolButtonProps) {
  return (
    <button
      type="button"
      title={keys ? t`${label} (Ctrl-${keys})` : label}
      aria-label={label}
      aria-pressed={pressed}
      // The text keeps its selection.
      onMouseDown={(event) => event.preventDefault()}
      {...rest}
      className={cx(
        'grid h-8 min-w-0 max-w-11 flex-1 place-items-center rounded-sm transition-colors duration-(--fast) focus-visible:-outline-offset-2 sm:max-w-9 pointer-coarse:h-11',
        pressed ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-muted hover:text-default',
      )}
    >
      <Icon name={icon} size={20} />
    </button>
  )
}
