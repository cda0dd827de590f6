import { useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { FormDialog } from '../../components/overlays/form-dialog.tsx'
import { invalidField } from '../../components/overlays/invalid-field.ts'
import { useSubmit } from '../../components/overlays/use-submit.ts'
import { isDay } from '../../lib/calendar/url-state.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'

/** The new date. `time` is empty to leave it unchanged. */
export interface Destination {
  day: string
  time: string
}

interface MoveDialogProps {
  name: string
  /** The current day, or empty. */
  from: string
  /** The time of day of a single item, and the name of its zone. */
  timed: { time: string; zone: string } | null
}

/** Asks for a day, and for a time when the item has one. */
export function MoveDialog({ name, from, timed, open, close, onClosed }: MoveDialogProps & OverlayProps<Destination>) {
  const [day, setDay] = useState(from)
  const [time, setTime] = useState(timed?.time ?? '')
  const form = useSubmit(async () => {
    if (!isDay(day)) throw invalidField('day', t`Choose a day between the years 1 and 9999`)
    close({ day, time })
  })
  return (
    <FormDialog
      form={form}
      open={open}
      onCancel={close}
      onClosed={onClosed}
      size="sm"
      title={moveTitle(from, timed !== null)}
      description={
        timed ? t`${name}, by ${{ zone: timed.zone }}. Its duration stays the same.` : t`${name}. Times and time zones stay the same.`
      }
      action={<Trans context="verb">Move</Trans>}
    >
      <div className="flex flex-wrap gap-4">
        <div className="min-w-40 grow">
          <Field label={t`Day`} error={form.fields.day}>
            {(control) => (
              <Input
                {...control}
                type="date"
                min="0001-01-01"
                max="9999-12-31"
                value={day}
                autoFocus
                onChange={(event) => setDay(event.target.value)}
              />
            )}
          </Field>
        </div>
        {timed && (
          <Field label={t`Time`}>
            {(control) => <Input {...control} type="time" value={time} onChange={(event) => setTime(event.target.value)} />}
          </Field>
        )}
      </div>
    </FormDialog>
  )
}

/** Also the label of its menu item. */
export function moveTitle(from: string, timed: boolean): string {
  if (timed) return t`Move to another day or time`
  return from ? t`Move to another day` : t`Move to a day`
}
