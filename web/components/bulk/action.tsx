import type { ComponentProps } from 'react'
import { cx } from '../../ui/cx.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'

interface BulkActionProps extends Omit<ComponentProps<'button'>, 'disabled' | 'children'> {
  icon: IconName
  label: string
  /** Accessible name, where it says more than the label. */
  name?: string
  disabledReason?: string | undefined
}

/** A bulk action: an icon above its label where there is room for both. */
export function BulkAction({ icon, label, name, disabledReason, className, ...rest }: BulkActionProps) {
  return (
    <Tooltip text={disabledReason}>
      <button
        type="button"
        {...rest}
        {...(name ? { 'aria-label': name } : {})}
        {...(disabledReason === undefined ? {} : { 'aria-disabled': true, onClick: undefined })}
        className={cx(
          'flex h-12 min-w-11 grow flex-col items-center justify-center rounded-md px-0.5 max-lg:min-w-min max-lg:basis-0 text-[0.6875rem] leading-none font-medium text-muted transition-colors duration-(--fast)',
          'aria-disabled:cursor-not-allowed aria-disabled:opacity-55 not-aria-disabled:hover:bg-muted not-aria-disabled:hover:text-default aria-expanded:bg-muted',
          'lg:h-11 lg:px-2.5 xl:h-10 xl:flex-row xl:gap-1.5 xl:text-sm',
          className,
        )}
      >
        <Icon name={icon} size={20} />
        <span className="max-w-full min-w-10 py-0.5 text-center hyphens-auto lg:truncate xl:min-w-0">{label}</span>
      </button>
    </Tooltip>
  )
}
