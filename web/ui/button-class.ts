import { cx } from './cx.ts'

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'plain' | 'accent' | 'floating' | 'danger'
type ButtonSize = 'xs' | 'sm' | 'snug' | 'md' | 'field' | 'lg'

const BASE =
  'inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap font-medium ' +
  'transition-[background-color,border-color,color,opacity] duration-(--fast) ease-out ' +
  'aria-disabled:cursor-not-allowed aria-disabled:opacity-55'

const PLAIN = 'text-muted not-aria-disabled:hover:bg-muted not-aria-disabled:hover:text-default'

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent not-aria-disabled:hover:bg-accent-hover',
  secondary: 'border border-strong bg-raised not-aria-disabled:hover:bg-muted',
  /** Stays pressed while its popup is open; `plain` does not. */
  ghost: `${PLAIN} aria-expanded:bg-muted`,
  plain: PLAIN,
  accent: 'text-accent not-aria-disabled:hover:bg-muted not-aria-disabled:hover:text-default',
  /** Over a photo. */
  floating: 'bg-raised not-aria-disabled:hover:bg-muted',
  danger: 'bg-danger-solid text-on-danger not-aria-disabled:hover:opacity-90',
}

const SIZES: Record<ButtonSize, string> = {
  xs: 'h-7 gap-1.5 px-2.5 text-xs pointer-coarse:h-11',
  sm: 'h-8 gap-1.5 px-2.5 text-sm pointer-coarse:h-11',
  /** `md` with less padding. */
  snug: 'h-9 gap-2 px-2.5 text-sm pointer-coarse:h-11',
  md: 'h-9 gap-2 px-3.5 text-sm pointer-coarse:h-11',
  /** As high as the field beside it. */
  field: 'h-10 gap-2 px-3.5 text-sm pointer-coarse:h-11',
  lg: 'h-11 gap-2 px-5 text-[0.9375rem]',
}

const SQUARES: Record<ButtonSize, string> = {
  xs: 'size-7 text-xs pointer-coarse:size-9',
  sm: 'size-8 text-sm pointer-coarse:size-11',
  snug: 'size-9 text-sm pointer-coarse:size-11',
  md: 'size-9 text-sm pointer-coarse:size-11',
  field: 'size-10 text-sm pointer-coarse:size-11',
  lg: 'size-11 text-[0.9375rem]',
}

export interface ButtonLook {
  variant?: ButtonVariant | undefined
  size?: ButtonSize | undefined
  /** Shows the icon alone; the children become its name and its tooltip. */
  iconOnly?: boolean | undefined
  round?: boolean | undefined
}

/** Classes of a button, for links that should look like one. */
export function buttonClass({ variant = 'secondary', size = 'md', iconOnly = false, round = false }: ButtonLook): string {
  return cx(BASE, VARIANTS[variant], iconOnly ? SQUARES[size] : SIZES[size], round ? 'rounded-full' : 'rounded-md')
}
