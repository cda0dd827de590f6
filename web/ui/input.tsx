import { type ComponentProps, useState } from 'react'
import { t } from '#say'
import { asksForFocus } from './asks-for-focus.ts'
import { cx } from './cx.ts'
import { Icon, type IconName } from './icon.tsx'

/** Shared by all text fields and selects. 16 px on touch screens, or iOS zooms the page. */
const AREA =
  'w-full min-w-0 rounded-md border border-control bg-page px-3 text-[0.9375rem] pointer-coarse:text-base ' +
  'transition-[border-color] duration-(--fast) placeholder:text-dimmed hover:border-(--text-muted) ' +
  'focus-visible:border-ring focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-danger ' +
  'disabled:cursor-not-allowed disabled:bg-muted disabled:text-muted read-only:not-[select]:bg-muted read-only:not-[select]:text-muted'

/** For a single line. */
export const CONTROL = `h-10 pointer-coarse:h-11 ${AREA}`

interface InputProps extends ComponentProps<'input'> {
  icon?: IconName
}

export function Input({ icon, className, ...rest }: InputProps) {
  if (!icon) return <input {...rest} {...asksForFocus(rest.autoFocus)} className={cx(CONTROL, className)} />
  return (
    <div className="relative">
      <Icon name={icon} size={18} className="pointer-events-none absolute top-1/2 start-3 -translate-y-1/2 text-(--text-muted)" />
      <input {...rest} {...asksForFocus(rest.autoFocus)} className={cx(CONTROL, 'ps-9', className)} />
    </div>
  )
}

export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false)
  return (
    <div className="relative">
      <input
        {...rest}
        {...asksForFocus(rest.autoFocus)}
        type={shown ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="off"
        className={cx(CONTROL, 'pe-11', className)}
      />
      <button
        type="button"
        aria-pressed={shown}
        aria-label={t`Show password`}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 end-0 grid w-11 place-items-center rounded-md text-muted hover:text-default"
      >
        <Icon name={shown ? 'visibility-off' : 'visibility'} size={18} />
      </button>
    </div>
  )
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} className={cx(AREA, 'min-h-24 py-2', className)} />
}
