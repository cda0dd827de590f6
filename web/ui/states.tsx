import type { ReactNode } from 'react'
import { Trans } from '#say/react'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { Icon, type IconName } from './icon.tsx'

interface StateProps {
  icon?: IconName
  /** A drawing instead of the icon. */
  art?: ReactNode
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** With less padding above and below. */
  compact?: boolean
  className?: string
}

/** Shown in place of an empty list: one sentence, and the action that fills it. */
export function EmptyState({ icon = 'photo-library', art, title, children, action, compact = false, className }: StateProps) {
  return (
    <div className={cx('mx-auto grid max-w-md justify-items-center gap-2 px-6 text-center', compact ? 'py-6' : 'py-16', className)}>
      {art ?? (
        <span className="mb-2 grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
          <Icon name={icon} size={24} />
        </span>
      )}
      <h2 className="text-[1.0625rem] font-semibold">{title}</h2>
      {children && <div className="text-pretty text-muted">{children}</div>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}

interface ErrorStateProps {
  title: string
  message: string
  onRetry?: () => void
  retrying?: boolean
  className?: string
}

export function ErrorState({ title, message, onRetry, retrying = false, className }: ErrorStateProps) {
  return (
    <div role="alert" className={className}>
      <EmptyState
        art={
          <span className="mb-2 grid size-12 place-items-center rounded-full bg-muted text-muted">
            <Icon name="error" size={24} />
          </span>
        }
        title={title}
        action={
          onRetry && (
            <Button icon="refresh" onClick={onRetry} loading={retrying}>
              <Trans>Try again</Trans>
            </Button>
          )
        }
      >
        {message}
      </EmptyState>
    </div>
  )
}

const ROUNDED = { none: '', xs: 'rounded-xs', md: 'rounded-md', lg: 'rounded-lg', xl: 'rounded-xl', full: 'rounded-full' } as const

/** A grey shape with the position and size of the content that is loading. */
export function Skeleton({ rounded = 'md', className }: { rounded?: keyof typeof ROUNDED; className?: string }) {
  return <div aria-hidden="true" className={cx('animate-breathe bg-muted', ROUNDED[rounded], className)} />
}

export function Notice({
  tone = 'info',
  children,
  action,
}: {
  tone?: 'info' | 'warning' | 'danger'
  children: ReactNode
  action?: ReactNode
}) {
  const look = { info: 'bg-muted', warning: 'bg-warning-soft text-warning', danger: 'bg-danger-soft text-danger' }[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cx('flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md px-3.5 py-2.5 text-sm', look)}
    >
      <Icon name={tone === 'info' ? 'info' : tone === 'warning' ? 'warning' : 'error'} size={18} />
      <div className="min-w-0 flex-1 basis-48">{children}</div>
      {action}
    </div>
  )
}

/** A part of a page that could not be loaded. `ErrorState` is for a whole page. */
export function FailedNotice({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <Notice
      tone="warning"
      action={
        <Button size="sm" onClick={onRetry}>
          <Trans>Try again</Trans>
        </Button>
      }
    >
      {message}
    </Notice>
  )
}
