import { needsSession } from '../lib/guard.ts'
import { isCovered, isTyping } from '../lib/palette/key-owner.ts'
import { keyOf, meaningOf, perform } from '../lib/shortcuts.ts'
import { singleKeysAtom } from './shortcuts.ts'
import type { store } from './store.ts'

/** Milliseconds within which the second key of a pair must follow. */
const PAIR = 1500

/** Listens to global shortcuts before anything is rendered; the code that handles them may load later. Call once, at start. */
export function listenForKeys(app: typeof store): void {
  let pressed: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing || event.repeat || !needsSession(location.pathname)) return
    const key = keyOf(event)
    if (!key || isCovered() || (!key.startsWith('mod+') && !app.get(singleKeysAtom))) return
    // In a text field, Ctrl-A selects the text.
    if ((!key.startsWith('mod+') || key === 'mod+a') && isTyping(event.target)) return
    clearTimeout(timer)
    const meaning = meaningOf([...pressed, key]) ?? meaningOf([key])
    pressed = meaning === 'begun' ? [key] : []
    if (meaning === 'begun') timer = setTimeout(() => (pressed = []), PAIR)
    // Where nothing can be selected, Ctrl-A selects text as usual.
    else if (meaning && (perform(meaning) || meaning !== 'select-all')) event.preventDefault()
  }
  addEventListener('keydown', (event) => event.defaultPrevented || onKey(event))
}
