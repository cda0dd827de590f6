import { useSetAtom } from 'jotai'
import { useRef } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { addToastAtom } from '../../atoms/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'

interface CopyFieldProps {
  label: string
  hint?: string
  value: string
  /** Said when it has been copied. */
  copied: string
  /** It has been there for long, so it does not take the focus. */
  quiet?: boolean
  className?: string
}

/** A text to be copied, with a button that does it. One that has just been made is selected. */
export function CopyField({ label, hint, value, copied, quiet = false, className }: CopyFieldProps) {
  const addToast = useSetAtom(addToastAtom)
  const input = useRef<HTMLInputElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      addToast({ title: copied, icon: 'content-copy' })
    } catch {
      // The clipboard is not available.
      input.current?.select()
      addToast({
        title: t`It could not be copied`,
        description: t`It is selected: copy it with the keyboard, or hold it to copy.`,
        color: 'warning',
      })
    }
  }
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <div className="flex gap-2">
          <Input
            {...control}
            className={className}
            ref={input}
            readOnly
            autoFocus={!quiet}
            value={value}
            onFocus={(event) => event.target.select()}
          />
          <Button icon="content-copy" size="field" onClick={() => void copy()}>
            <Trans context="verb">Copy</Trans>
          </Button>
        </div>
      )}
    </Field>
  )
}
