import { type CollectionView, VIEWS } from '../view-table.ts'

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
  label: string
  /** Missing where the view itself, or the browser, handles the key. */
  id?: ShortcutId
}

export interface ShortcutGroup {
  title: string
  shortcuts: readonly Shortcut[]
}

/** Every shortcut: the help lists the same table that handles the keys. */
export const SHORTCUTS: readonly ShortcutGroup[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { id: 'palette', keys: ['mod+k'], label: 'Jump to anything' },
      { id: 'search', keys: ['/'], label: 'Search this collection' },
      { id: 'new', keys: ['n'], label: 'New post' },
      { id: 'upload', keys: ['u'], label: 'Upload photos or files' },
      { id: 'help', keys: ['?'], label: 'These shortcuts' },
      { keys: ['mod+z'], label: 'Undo the last change' },
      { keys: ['escape'], label: 'Close what is on top' },
    ],
  },
  {
    title: 'Go to',
    shortcuts: [
      { id: 'go-feed', keys: ['g', 'f'], label: 'Feed' },
      ...VIEWS.map(
        ({ view, key, label, shows }): Shortcut => ({
          id: `go-${view}`,
          keys: ['g', key],
          label: shows === null ? `${label} of the collection` : label,
        }),
      ),
      { id: 'go-collections', keys: ['g', 'o'], label: 'All collections' },
    ],
  },
  {
    title: 'Timeline and Feed',
    shortcuts: [
      { id: 'next', keys: ['j'], label: 'Next post or photos' },
      { id: 'previous', keys: ['k'], label: 'Previous post or photos' },
    ],
  },
  {
    title: 'Calendar',
    shortcuts: [
      { id: 'today', keys: ['t'], label: 'Today' },
      { keys: ['arrows'], label: 'Another day' },
      { keys: ['home'], label: 'First day of the week' },
      { keys: ['end'], label: 'Last day of the week' },
      { keys: ['pageup'], label: 'A month earlier; with Shift, a year' },
      { keys: ['pagedown'], label: 'A month later; with Shift, a year' },
      { keys: ['enter'], label: 'Open the day' },
      { keys: ['alt+arrows'], label: 'Among the hours of a week: another time, another day' },
    ],
  },
  {
    title: 'Selection',
    shortcuts: [
      { id: 'select-all', keys: ['mod+a'], label: 'Select all' },
      { keys: ['space'], label: 'Select what has the focus' },
      { keys: ['x'], label: 'The same from inside of a post' },
      { keys: ['shift+space'], label: 'Select up to here' },
      { id: 'selection', keys: ['b'], label: 'Go to what can be done with it' },
      { keys: ['delete'], label: 'Move it to the trash' },
      { keys: ['escape'], label: 'Select nothing' },
    ],
  },
  {
    title: 'Photos in Media',
    shortcuts: [
      { keys: ['arrows'], label: 'Move' },
      { keys: ['home'], label: 'First photo' },
      { keys: ['end'], label: 'Last photo' },
      { keys: ['enter'], label: 'Open' },
      { keys: ['shift+arrows'], label: 'Select a range' },
    ],
  },
  {
    title: 'An open post',
    shortcuts: [
      { keys: ['arrows'], label: 'Previous or next post' },
      { keys: ['e'], label: 'Edit' },
    ],
  },
  {
    title: 'Writing',
    shortcuts: [
      { keys: ['mod+enter'], label: 'Save' },
      { keys: ['mod+b'], label: 'Bold' },
      { keys: ['mod+i'], label: 'Italic' },
      { keys: ['mod+u'], label: 'Underline' },
      { keys: ['mod+k'], label: 'Link' },
      { keys: ['@'], label: 'Mention a person' },
    ],
  },
  {
    title: 'An open photo',
    shortcuts: [
      { keys: ['i'], label: 'Information' },
      { keys: ['c'], label: 'Comments' },
      { keys: ['d'], label: 'Download the original' },
      { keys: ['delete'], label: 'Move to the trash' },
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
  const latin = /^[ -~]$/.test(event.key) ? event.key : LETTER.exec(event.code)?.[1]
  // On layouts without Latin letters, the position of the key counts.
  const key = (event.key.length === 1 ? (latin ?? event.key) : event.key).toLowerCase()
  return event.ctrlKey || event.metaKey ? `mod+${key}` : key
}
const LETTER = /^Key([A-Z])$/

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

/** Calls the handler, or keeps the request until one is registered. Returns whether there was one. */
export function perform(id: ShortcutId): boolean {
  const handler = handlers.get(id)?.at(-1)
  pending = handler ? null : { id, since: performance.now() }
  handler?.()
  return handler !== undefined
}
