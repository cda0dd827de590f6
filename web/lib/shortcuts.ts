import type { Said } from '#language'
import { msg } from '#say'
import { type CollectionView, VIEWS } from '../view-table.ts'
import { latinKey } from './latin-key.ts'

/** Actions with a key that works everywhere in the app; components register handlers for them. */
export type ShortcutId =
  | 'palette'
  | 'help'
  | 'search'
  | 'new'
  | 'upload'
  | 'next'
  | 'previous'
  | 'today'
  | 'select-all'
  | 'selection'
  | 'go-feed'
  | 'go-collections'
  | `go-${CollectionView}`

export interface Shortcut {
  /** Keys one after another, as `event.key` names them in lower case; `mod+` is ⌘ on a Mac and Ctrl elsewhere. */
  keys: readonly string[]
  label: Said
  /** Missing where the view itself, or the browser, handles the key. */
  id?: ShortcutId
}

export interface ShortcutGroup {
  title: Said
  shortcuts: readonly Shortcut[]
}

/** Every shortcut: the help lists the same table that handles the keys. */
export const SHORTCUTS: readonly ShortcutGroup[] = [
  {
    title: msg`Everywhere`,
    shortcuts: [
      { id: 'palette', keys: ['mod+k'], label: msg`Jump to anything` },
      { id: 'search', keys: ['/'], label: msg`Search this collection` },
      { id: 'new', keys: ['n'], label: msg`New post` },
      { id: 'upload', keys: ['u'], label: msg`Upload photos or files` },
      { id: 'help', keys: ['?'], label: msg`These shortcuts` },
      { keys: ['mod+z'], label: msg`Undo the last change` },
      { keys: ['escape'], label: msg`Close what is on top` },
    ],
  },
  {
    title: msg({ message: 'Go to', comment: 'Above the keys that open the Feed, the Map and so on' }),
    shortcuts: [
      { id: 'go-feed', keys: ['g', 'f'], label: msg`Feed` },
      ...VIEWS.map(({ view, key, label, fullLabel }): Shortcut => ({ id: `go-${view}`, keys: ['g', key], label: fullLabel ?? label })),
      { id: 'go-collections', keys: ['g', 'o'], label: msg`All collections` },
    ],
  },
  {
    title: msg`Timeline and Feed`,
    shortcuts: [
      { id: 'next', keys: ['j'], label: msg`Next post or photos` },
      { id: 'previous', keys: ['k'], label: msg`Previous post or photos` },
    ],
  },
  {
    title: msg`Calendar`,
    shortcuts: [
      { id: 'today', keys: ['t'], label: msg`Today` },
      { keys: ['arrows'], label: msg`Another day` },
      { keys: ['home'], label: msg`First day of the week` },
      { keys: ['end'], label: msg`Last day of the week` },
      { keys: ['pageup'], label: msg`A month earlier; with Shift, a year` },
      { keys: ['pagedown'], label: msg`A month later; with Shift, a year` },
      { keys: ['enter'], label: msg`Open the day` },
      { keys: ['alt+arrows'], label: msg`Among the hours of a week: another time, another day` },
    ],
  },
  {
    title: msg`Selection`,
    shortcuts: [
      { id: 'select-all', keys: ['mod+a'], label: msg`Select all` },
      { keys: ['space'], label: msg`Select what has the focus` },
      { keys: ['x'], label: msg`The same from inside of a post` },
      { keys: ['shift+space'], label: msg`Select up to here` },
      { id: 'selection', keys: ['b'], label: msg`Go to what can be done with it` },
      { keys: ['delete'], label: msg`Move it to the trash` },
      { keys: ['escape'], label: msg`Select nothing` },
    ],
  },
  {
    title: msg`Photos in Media`,
    shortcuts: [
      { keys: ['arrows'], label: msg({ message: 'Move', context: 'keyboard', comment: 'From photo to photo with the arrow keys' }) },
      { keys: ['home'], label: msg`First photo` },
      { keys: ['end'], label: msg`Last photo` },
      { keys: ['enter'], label: msg({ message: 'Open', context: 'verb' }) },
      { keys: ['shift+arrows'], label: msg`Select a range` },
    ],
  },
  {
    title: msg`An open post`,
    shortcuts: [
      { keys: ['arrows'], label: msg`Previous or next post` },
      { keys: ['e'], label: msg`Edit` },
    ],
  },
  {
    title: msg`Writing`,
    shortcuts: [
      { keys: ['mod+enter'], label: msg`Save` },
      { keys: ['mod+b'], label: msg({ message: 'Bold', context: 'formatting' }) },
      { keys: ['mod+i'], label: msg`Italic` },
      { keys: ['mod+u'], label: msg({ message: 'Underline', context: 'formatting' }) },
      { keys: ['mod+k'], label: msg({ message: 'Link', context: 'noun' }) },
      { keys: ['@'], label: msg`Mention a person` },
    ],
  },
  {
    title: msg`An open photo`,
    shortcuts: [
      { keys: ['i'], label: msg`Information` },
      { keys: ['c'], label: msg`Comments` },
      { keys: ['d'], label: msg`Download the original` },
      { keys: ['delete'], label: msg`Move to the trash` },
    ],
  },
]

const BOUND = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts).filter(
  (shortcut): shortcut is Shortcut & { id: ShortcutId } => 'id' in shortcut,
)

export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** Name of a key in the table; null for one that no shortcut could use. AltGr writes characters, so it is not used. */
export function keyOf(event: KeyPress): string | null {
  if (event.altKey) return null
  const key = latinKey(event)
  return event.ctrlKey || event.metaKey ? `mod+${key}` : key
}

/** The shortcut for the keys pressed so far; `begun` if more keys are needed, null if there is none. */
export function meaningOf(pressed: readonly string[]): ShortcutId | 'begun' | null {
  const fits = BOUND.filter(({ keys }) => pressed.every((key, index) => keys[index] === key))
  const whole = fits.find(({ keys }) => keys.length === pressed.length)
  return whole?.id ?? (fits.length > 0 ? 'begun' : null)
}

export function shortcutOf(id: ShortcutId): Shortcut | undefined {
  return BOUND.find((shortcut) => shortcut.id === id)
}

const handlers = new Map<ShortcutId, (() => void)[]>()

/** Milliseconds that a key press waits for a handler once the shell has rendered: the component may still be loading. */
const HANDLER_TIMEOUT = 10_000
let shellReady = false
let pending: { id: ShortcutId; since: number } | null = null

/** Reports that the shell has rendered and components are about to register. A pending key press waits from now on. */
export function notifyShellReady(): void {
  shellReady = true
  if (pending) pending.since = performance.now()
}

/** Registers a handler for a shortcut; the one registered last is called. Returns a function that unregisters it. */
export function registerShortcut(id: ShortcutId, handler: () => void): () => void {
  const list = handlers.get(id) ?? []
  handlers.set(id, list)
  list.push(handler)
  if (pending?.id === id) {
    if (!shellReady || performance.now() < pending.since + HANDLER_TIMEOUT) queueMicrotask(() => perform(id))
    pending = null
  }
  return () => {
    list.splice(list.indexOf(handler), 1)
  }
}

export function hasHandler(id: ShortcutId): boolean {
  return (handlers.get(id)?.length ?? 0) > 0
}

/**
 * Calls the handler, or keeps the request until one is registered; not to select all, which must not happen in another list later. Returns whether
 * there was one.
 */
export function perform(id: ShortcutId): boolean {
  const handler = handlers.get(id)?.at(-1)
  pending = handler || id === 'select-all' ? null : { id, since: performance.now() }
  handler?.()
  return handler !== undefined
}
