import { cx } from './cx.ts'

const MAC = /Mac|iPhone|iPad/.test(navigator.platform)
const NAMES: Record<string, string> = {
  mod: MAC ? '⌘' : 'Ctrl',
  shift: MAC ? '⇧' : 'Shift',
  alt: MAC ? '⌥' : 'Alt',
  escape: 'Esc',
  arrows: '← → ↑ ↓',
  enter: '↵',
  delete: 'Del',
  space: 'Space',
  home: 'Home',
  end: 'End',
}

/** Keys to press one after another, such as `mod+k` or `g`, `m`. */
export function KeyCaps({ keys, className }: { keys: readonly string[]; className?: string }) {
  return (
    <span aria-hidden="true" className={cx('inline-flex items-center gap-1', className)}>
      {keys.flatMap((press) =>
        press.split('+').map((key) => (
          <kbd
            key={`${press} ${key}`}
            className="grid h-5 min-w-5 place-items-center rounded-xs border border-strong bg-muted px-1 font-sans text-xs text-muted"
          >
            {nameOf(key)}
          </kbd>
        )),
      )}
    </span>
  )
}

/** The keys as text, for screen readers: `Ctrl K`, `G then M`. */
export function keyWords(keys: readonly string[]): string {
  return keys
    .map((press) =>
      press
        .split('+')
        .map(
          (key) =>
            ({ mod: MAC ? 'Command' : 'Control', alt: MAC ? 'Option' : 'Alt', arrows: 'arrow keys', enter: 'Enter', shift: 'Shift' })[
              key
            ] ?? nameOf(key),
        )
        .join(' '),
    )
    .join(' then ')
}

function nameOf(key: string): string {
  return NAMES[key] ?? key.toUpperCase()
}
