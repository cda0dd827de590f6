import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { asksForFocus } from './asks-for-focus.ts'
import { type ButtonLook, buttonClass } from './button-class.ts'
import { cx } from './cx.ts'
import { Icon, type IconName } from './icon.tsx'
import { Tooltip } from './tooltip.tsx'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'children'>, ButtonLook {
  icon?: IconName
  loading?: boolean
  /** Why it cannot be used now. The button stays in the tab order, so that all users can read the reason. */
  disabledReason?: string | undefined
  children: ReactNode
}

export function Button(props: ButtonProps) {
  const { variant, size, icon, iconOnly, round, loading = false, disabledReason, children, className, ...rest } = props
  const inactive = loading || disabledReason !== undefined
  const iconSize = size === 'lg' ? 22 : 18
  return (
    // Also without a text: a button that is mounted anew loses the focus.
    <Tooltip text={disabledReason ?? (iconOnly ? children : undefined)}>
      <button
        type="button"
        {...rest}
        {...asksForFocus(rest.autoFocus)}
        className={cx(buttonClass({ variant, size, iconOnly, round }), className)}
        {...(inactive ? { 'aria-disabled': true, onClick: swallow } : {})}
        {...(loading ? { 'aria-busy': true } : {})}
      >
        {loading ? <Spinner size={iconSize - 2} /> : icon && <Icon name={icon} size={iconSize} />}
        {iconOnly ? <span className="sr-only">{children}</span> : children}
      </button>
    </Tooltip>
  )
}

/** Keeps a submit button that only looks disabled from submitting. */
function swallow(event: MouseEvent) {
  event.preventDefault()
  event.stopPropagation()
}

/** For a wait inside a control; pages show skeletons instead. */
function Spinner({ size = 16 }: { size?: number }) {
  return (
    <svg viewBox="0 0 16 16" width={size} height={size} aria-hidden="true" className="animate-turn motion-reduce:animate-breathe">
      <circle cx="8" cy="8" r="6.5" fill="none" stroke="currentColor" strokeWidth="2" opacity=".25" />
      <path d="M14.5 8A6.5 6.5 0 0 0 8 1.5" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}
