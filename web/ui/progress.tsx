import { Progress as Radix } from 'radix-ui'
import { cx } from './cx.ts'

interface ProgressProps {
  /** 0 to 1; null while unknown. */
  value: number | null
  label: string
}

/** `edge` runs along the edge of a box: thinner, with square ends. */
export function Progress({ value, label, edge = false }: ProgressProps & { edge?: boolean }) {
  return (
    <Radix.Root
      value={value === null ? null : Math.round(value * 100)}
      aria-label={label}
      className={cx('overflow-hidden bg-muted', edge ? 'h-1' : 'h-1.5 rounded-full')}
    >
      <Radix.Indicator
        style={{ transform: `scaleX(${value ?? 1})` }}
        className={cx(
          'size-full origin-left bg-accent rtl:origin-right transition-transform duration-(--slow) ease-out',
          value === null && 'animate-breathe',
        )}
      />
    </Radix.Root>
  )
}

/** A ring for small spaces, such as a button. */
export function ProgressRing({ value, label, size = 20 }: ProgressProps & { size?: number }) {
  return (
    <Radix.Root value={value === null ? null : Math.round(value * 100)} aria-label={label} className="inline-grid shrink-0">
      <svg viewBox="0 0 20 20" width={size} height={size} aria-hidden="true" className={cx('-rotate-90', value === null && 'animate-turn')}>
        <circle cx="10" cy="10" r="8" fill="none" strokeWidth="2.5" className="stroke-(--border-strong)" />
        <circle
          cx="10"
          cy="10"
          r="8"
          fill="none"
          strokeWidth="2.5"
          strokeLinecap="round"
          pathLength="1"
          strokeDasharray={`${value ?? 0.3} 1`}
          className="stroke-(--accent)"
        />
      </svg>
    </Radix.Root>
  )
}
