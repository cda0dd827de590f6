import { ToggleGroup } from 'radix-ui'
import { type KeyboardEvent, useId } from 'react'
import { readingKey } from '../lib/reading-direction.ts'
import { Icon, type IconName } from './icon.tsx'

interface SegmentsProps<T extends string> {
  label: string
  options: readonly { value: T; label: string; icon?: IconName }[]
  value: T
  onChange: (value: T) => void
  hideLabel?: boolean
}

/** A choice of a few options, all visible. */
export function Segments<T extends string>({ label, options, value, onChange, hideLabel = false }: SegmentsProps<T>) {
  const id = useId()
  return (
    <div className="grid justify-items-start gap-2">
      <span id={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </span>
      <ToggleGroup.Root
        type="single"
        aria-labelledby={id}
        value={value}
        // Radix passes an empty value when the selected option is pressed again.
        onValueChange={(next) => next && onChange(next as T)}
        onKeyDownCapture={moveFocus}
        className="inline-flex max-w-full flex-wrap gap-0.5 rounded-lg bg-muted p-0.5"
      >
        {options.map((option) => (
          <ToggleGroup.Item
            key={option.value}
            value={option.value}
            aria-label={option.label}
            className="flex h-8 items-center gap-2 rounded-md px-3 text-sm font-medium text-muted transition-colors duration-(--fast) hover:text-default data-[state=on]:bg-raised data-[state=on]:text-default data-[state=on]:shadow-raised pointer-coarse:h-11"
          >
            {option.icon && <Icon name={option.icon} size={18} />}
            {option.label}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
    </div>
  )
}

/** Moves the focus at once. Radix does it in a timer, so Enter right after an arrow would press the previous option. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=radio]')]
  const from = event.target instanceof HTMLElement ? items.indexOf(event.target) : -1
  const to = targetOf(readingKey(event), from, items.length)
  if (from < 0 || to === null) return
  event.preventDefault()
  items[to]?.focus()
}

function targetOf(key: string, from: number, count: number): number | null {
  if (key === 'ArrowRight' || key === 'ArrowDown') return (from + 1) % count
  if (key === 'ArrowLeft' || key === 'ArrowUp') return (from - 1 + count) % count
  if (key === 'Home' || key === 'PageUp') return 0
  return key === 'End' || key === 'PageDown' ? count - 1 : null
}
