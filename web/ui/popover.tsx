import { Popover as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { useClosedByBack } from './closed-by-back.ts'
import { cx } from './cx.ts'

interface PopoverProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  trigger: ReactElement
  /** Its name for screen readers. */
  label: string
  side?: 'top' | 'right' | 'bottom' | 'left'
  align?: 'start' | 'center' | 'end'
  className?: string
  children: ReactNode
}

export function Popover({ open, onOpenChange, trigger, label, side = 'bottom', align = 'start', className, children }: PopoverProps) {
  useClosedByBack(open, () => onOpenChange(false))
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={cx(
            'z-50 max-h-(--radix-popover-content-available-height) overflow-y-auto rounded-lg border bg-raised shadow-raised outline-none',
            'origin-(--radix-popover-content-transform-origin) animate-rise-in data-[state=closed]:animate-fade-out',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
