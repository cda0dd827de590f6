import { Checkbox as RadixCheckbox, Switch as RadixSwitch } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import { Icon } from './icon.tsx'

interface ToggleProps {
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  label: ReactNode
  hint?: ReactNode
  disabled?: boolean
  className?: string
}

interface CheckboxProps extends ToggleProps {
  hideLabel?: boolean
}

export function Checkbox({ checked, onCheckedChange, label, hint, hideLabel = false, disabled = false, className }: CheckboxProps) {
  const id = useId()
  return (
    <div className={cx('flex items-start gap-2.5', className)}>
      <RadixCheckbox.Root
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={(next) => onCheckedChange(next === true)}
        className="touch-target mt-0.5 grid size-5 shrink-0 place-items-center rounded-xs border border-control bg-page transition-colors duration-(--fast) disabled:opacity-55 data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=checked]:text-on-accent"
      >
        <RadixCheckbox.Indicator>
          <Icon name="check" size={16} />
        </RadixCheckbox.Indicator>
      </RadixCheckbox.Root>
      <ToggleLabel id={id} label={label} hint={hint} hide={hideLabel} />
    </div>
  )
}

export function Switch({ checked, onCheckedChange, label, hint, disabled = false, className }: ToggleProps) {
  const id = useId()
  return (
    <div className={cx('flex items-start justify-between gap-4', className)}>
      <ToggleLabel id={id} label={label} hint={hint} />
      <RadixSwitch.Root
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onCheckedChange}
        className="touch-target mt-0.5 h-6 w-10 shrink-0 rounded-full border border-control bg-muted transition-colors duration-(--fast) disabled:opacity-55 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <RadixSwitch.Thumb className="block size-4 translate-x-[calc(0.125rem*var(--forward))] rounded-full bg-(--text-muted) transition-transform duration-(--fast) data-[state=checked]:translate-x-[calc(1.1875rem*var(--forward))] data-[state=checked]:bg-(--on-accent)" />
      </RadixSwitch.Root>
    </div>
  )
}

function ToggleLabel({ id, label, hint, hide = false }: { id: string; label: ReactNode; hint: ReactNode; hide?: boolean }) {
  return (
    <label htmlFor={id} className={cx('text-sm leading-6', hide && 'sr-only')}>
      <span className="font-medium">{label}</span>
      {hint && <span className="block text-xs text-muted">{hint}</span>}
    </label>
  )
}
