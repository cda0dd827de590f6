import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { Icon } from './icon.tsx'
import { CONTROL } from './input.tsx'

interface SelectProps<T extends string> extends Omit<ComponentProps<'select'>, 'value' | 'onChange'> {
  value: T
  onValueChange: (value: T) => void
  options: readonly { value: T; label: string; disabled?: boolean }[]
}

/** The native select, which every phone and screen reader supports. */
export function Select<T extends string>({ value, onValueChange, options, className, ...rest }: SelectProps<T>) {
  return (
    <div className={cx('relative', className)}>
      <select
        {...rest}
        value={value}
        // Only the values below can be chosen.
        onChange={(event) => onValueChange(event.target.value as T)}
        className={cx(CONTROL, 'appearance-none pe-9')}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="keyboard-arrow-down" className="pointer-events-none absolute top-1/2 end-2.5 -translate-y-1/2 text-(--text-muted)" />
    </div>
  )
}
