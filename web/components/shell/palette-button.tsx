import { say } from '#language'
import { msg } from '#say'
import { perform } from '../../lib/shortcuts.ts'
import { Button } from '../../ui/button.tsx'
import { KeyCaps } from '../../ui/key-caps.tsx'

const NAME = msg`Jump to anything`
const open = () => perform('palette')

/** Opens the command palette, and shows its shortcut. */
export function PaletteButton() {
  return (
    <Button
      variant="ghost"
      size="snug"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={open}
      className="max-lg:hidden"
    >
      <span className="max-2xl:sr-only">{say(NAME)}</span>
      <KeyCaps keys={['mod+k']} />
    </Button>
  )
}

/** The same for the top bar of a small screen. */
export function PaletteIcon() {
  return (
    <Button variant="ghost" icon="search" iconOnly aria-haspopup="dialog" onClick={open} className="min-h-11 min-w-11">
      {say(NAME)}
    </Button>
  )
}
