import type { Editor } from '@tiptap/core'
import { type KeyboardEvent, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { linkOf } from './text-extensions.ts'

/** The link of the selected text. */
export function LinkRow({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const href: unknown = editor.getAttributes('link').href
  const had = typeof href === 'string' ? href : ''
  const [typed, setTyped] = useState(had)
  const [wrong, setWrong] = useState(false)
  // Synchronous: a command would wait for the next frame, and keys pressed until then would be lost.
  const leave = () => {
    editor.view.focus()
    onClose()
  }
  const apply = () => {
    const href = linkOf(typed)
    if (!href) return setWrong(true)
    const chain = editor.chain().extendMarkRange('link')
    const { empty } = editor.state.selection
    // Without a selection, the URL itself is inserted as text.
    if (empty && !had) chain.insertContent({ type: 'text', text: typed.trim(), marks: [{ type: 'link', attrs: { href } }] }).run()
    else chain.setLink({ href }).run()
    leave()
  }
  const on = (key: string, act: () => void) => (event: KeyboardEvent) => {
    if (event.key !== key || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside handles the keys
    <div data-own-escape="" className="flex flex-wrap items-center gap-2 border-b bg-raised p-2" onKeyDown={on('Escape', leave)}>
      <div className="min-w-40 grow">
        <Input
          icon="link"
          aria-label={t`Link address`}
          aria-invalid={wrong || undefined}
          aria-describedby={wrong ? 'link-wrong' : undefined}
          placeholder={t`https://example.org or an e-mail address`}
          inputMode="url"
          autoComplete="off"
          autoFocus
          value={typed}
          onKeyDown={on('Enter', apply)}
          onChange={(event) => {
            setTyped(event.target.value)
            setWrong(false)
          }}
        />
      </div>
      <Button size="sm" variant="primary" onClick={apply}>
        <Trans context="verb">Link</Trans>
      </Button>
      {had && (
        <Button
          size="sm"
          icon="link-off"
          onClick={() => {
            editor.chain().extendMarkRange('link').unsetLink().run()
            leave()
          }}
        >
          <Trans>Unlink</Trans>
        </Button>
      )}
      <Button size="sm" variant="ghost" onClick={leave}>
        <Trans>Cancel</Trans>
      </Button>
      {wrong && (
        <p id="link-wrong" role="alert" className="basis-full text-sm text-danger">
          <Trans>Enter a web address or an e-mail address.</Trans>
        </p>
      )}
    </div>
  )
}
