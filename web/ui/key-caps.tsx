import { t } from '#say'
import { cx } from './cx.ts'

const MAC = /Mac|iPhone|iPad/.test(navigator.platform)

/** Names of keys other than letters. */
const caps = (): Record<string, string> => ({
  mod: MAC ? '⌘' : t({ message: 'Ctrl', context: 'key' }),
  shift: MAC ? '⇧' : t({ message: 'Shift', context: 'key' }),
  alt: MAC ? '⌥' : t({ message: 'Alt', context: 'key' }),
  escape: t({ message: 'Esc', context: 'key' }),
  arrows: '← → ↑ ↓',
  enter: '↵',
  delete: t({ message: 'Del', context: 'key' }),
  space: t({ message: 'Space', context: 'key' }),
  home: t({ message: 'Home', context: 'key' }),
  end: t({ message: 'End', context: 'key' }),
})

/** The names of keys whose caps a screen reader may not say. */
const spokenNames = (): Record<string, string> => ({
  mod: MAC ? t({ message: 'Command', context: 'key' }) : t({ message: 'Control', context: 'key' }),
  alt: MAC ? t({ message: 'Option', context: 'key' }) : t({ message: 'Alt', context: 'key' }),
  arrows: t`arrow keys`,
  enter: t({ message: 'Enter', context: 'key' }),
  shift: t({ message: 'Shift', context: 'key' }),
})

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
  const spoken = spokenNames()
  const wordsOf = (press: string) => press.split('+').map((key) => spoken[key] ?? nameOf(key))
  return keys.map((press) => wordsOf(press).join(' ')).reduce((first, next) => t`${first} then ${next}`)
}

function nameOf(key: string): string {
  return caps()[key] ?? key.toUpperCase()
}
