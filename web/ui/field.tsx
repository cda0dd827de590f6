import { type ReactNode, useId, useState } from 'react'
import { cx } from './cx.ts'

/** Props that connect the control inside a field to its label, hint and error. */
export interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** Beside the label, such as "Forgot it?". */
  aside?: ReactNode
  hideLabel?: boolean
  className?: string
  children: (control: ControlProps) => ReactNode
}

/** A label, a control, and its error, which is hidden once the user edits the value. */
export function Field({ label, hint, error: found, aside, hideLabel = false, className, children }: FieldProps) {
  const id = useId()
  const [dismissed, setDismissed] = useState<string>()
  // The next attempt may find the same error.
  if (!found && dismissed) setDismissed(undefined)
  const error = found === dismissed ? undefined : found
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={cx('grid gap-1.5', className)} onInput={() => setDismissed(found)}>
      <div className={cx('flex items-baseline justify-between gap-4', hideLabel && !aside && 'sr-only')}>
        <label htmlFor={id} className="min-w-0 text-sm font-medium wrap-anywhere">
          {label}
        </label>
        {aside && <span className="text-sm">{aside}</span>}
      </div>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
      <p id={`${id}-error`} aria-live="polite" className={cx('text-sm text-danger', !error && 'hidden')}>
        {error}
      </p>
    </div>
  )
}
