import { cx } from './cx.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'sm' | 'md' | 'lg'

const BASE =
  'inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded-md font-medium ' +
  'transition-[background-color,border-color,color,opacity] duration-(--fast) ease-out ' +
  'aria-disabled:cursor-not-allowed aria-disabled:opacity-55'

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent not-aria-disabled:hover:bg-accent-hover',
  secondary: 'border border-strong bg-raised not-aria-disabled:hover:bg-muted',
  ghost: 'text-muted not-aria-disabled:hover:bg-muted not-aria-disabled:hover:text-default aria-expanded:bg-muted',
  danger: 'bg-danger-solid text-on-danger not-aria-disabled:hover:opacity-90',
}

const SIZES: Record<ButtonSize, string> = {
  sm: 'h-8 gap-1.5 px-2.5 text-sm pointer-coarse:h-11',
  md: 'h-9 gap-2 px-3.5 text-sm pointer-coarse:h-11',
  lg: 'h-11 gap-2 px-5 text-[0.9375rem]',
}

const SQUARES: Record<ButtonSize, string> = {
  sm: 'size-8 px-0 pointer-coarse:size-11',
  md: 'size-9 px-0 pointer-coarse:size-11',
  lg: 'size-11 px-0',
}

/** The look of a button, for links that should look like one. */
export function buttonClass(variant: ButtonVariant, size: ButtonSize, iconOnly = false): string {
  return cx(BASE, VARIANTS[variant], SIZES[size], iconOnly && SQUARES[size])
}
