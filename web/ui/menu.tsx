import { DropdownMenu as Radix } from 'radix-ui'
import { type ReactElement, type ReactNode, useState } from 'react'
import { t } from '#say'
import { useClosedByBack } from './closed-by-back.ts'
import { cx } from './cx.ts'
import { Icon, type IconName } from './icon.tsx'

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement
  side?: 'top' | 'right' | 'bottom' | 'left'
  align?: 'start' | 'center' | 'end'
  className?: string
  children: ReactNode
}

// Not modal: Radix's scroll lock inserts a style element, which our content security policy refuses.
export function Menu({ trigger, side = 'bottom', align = 'end', className, children }: MenuProps) {
  const [open, setOpen] = useState(false)
  useClosedByBack(open, () => setOpen(false))
  return (
    <Radix.Root modal={false} open={open} onOpenChange={setOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        {/* A landmark, since the menu is rendered outside those of the page. */}
        <section aria-label={t`Menu`}>
          <Radix.Content
            side={side}
            align={align}
            sideOffset={6}
            collisionPadding={8}
            // Radix opens the menu when the button of the mouse goes down, and would take its release for a choice if the menu comes under the pointer.
            onPointerUpCapture={(event) => event.stopPropagation()}
            className={cx(
              'z-70 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 overflow-y-auto rounded-lg border bg-raised p-1 shadow-raised outline-none',
              'origin-(--radix-dropdown-menu-content-transform-origin) animate-rise-in',
              className,
            )}
          >
            {children}
          </Radix.Content>
        </section>
      </Radix.Portal>
    </Radix.Root>
  )
}

const ITEM =
  'flex min-h-9 w-full select-none items-center gap-2.5 rounded-md px-2.5 py-1.5 text-start text-sm outline-none pointer-coarse:min-h-11 ' +
  'data-highlighted:bg-muted aria-disabled:opacity-55 cursor-pointer aria-disabled:cursor-not-allowed'

interface MenuItemProps {
  icon?: IconName
  danger?: boolean
  /** Why it cannot be used now. The arrow keys reach it, so that all users can read the reason. */
  disabledReason?: string | undefined
  onSelect?: (event: Event) => void
  /** Renders its child, for example a link, as the menu item. */
  asChild?: boolean
  children: ReactNode
}

export function MenuItem({ icon, danger = false, disabledReason, onSelect, asChild = false, children }: MenuItemProps) {
  const disabled = disabledReason !== undefined
  return (
    <Radix.Item
      asChild={asChild}
      // Radix takes an item with `disabled` out of the order of the keys.
      aria-disabled={disabled || undefined}
      onSelect={(event) => (disabled ? event.preventDefault() : onSelect?.(event))}
      className={cx(ITEM, danger && 'text-danger')}
    >
      {asChild ? (
        children
      ) : (
        <>
          {icon && <Icon name={icon} size={18} className={danger ? '' : 'text-(--text-muted)'} />}
          <span className="min-w-0 grow">
            {children}
            {disabledReason && <span className="block text-xs text-muted">{disabledReason}</span>}
          </span>
        </>
      )}
    </Radix.Item>
  )
}

interface MenuChoiceProps<T extends string> {
  value: T
  onChange: (value: T) => void
  options: readonly { value: T; label: string; icon?: IconName }[]
}

/** A radio group, with a check on the selected option. */
export function MenuChoice<T extends string>({ value, onChange, options }: MenuChoiceProps<T>) {
  return (
    // Radix returns one of the values below.
    <Radix.RadioGroup value={value} onValueChange={(next) => onChange(next as T)}>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className={ITEM}>
          {option.icon && <Icon name={option.icon} size={18} className="text-(--text-muted)" />}
          <span className="min-w-0 grow">{option.label}</span>
          <Radix.ItemIndicator>
            <Icon name="check" size={18} />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">{children}</Radix.Label>
}

export function MenuSeparator() {
  return <Radix.Separator className="mx-1 my-1 h-px bg-(--border)" />
}
