import { type FormEvent, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { isDay } from '../../lib/calendar/url-state.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
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
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isDay(day)) close({ day, time })
    else setError(t`Choose a day between the years 1 and 9999`)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || close()}
      onClosed={onClosed}
      size="sm"
      title={moveTitle(from, timed !== null)}
      description={
        timed ? t`${name}, by ${{ zone: timed.zone }}. Its duration stays the same.` : t`${name}. Times and time zones stay the same.`
      }
      wrap={(content) => (
        <form onSubmit={submit} noValidate className="flex min-h-0 flex-col">
          {content}
        </form>
      )}
      footer={
        <>
          <Button onClick={() => close()}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary">
            <Trans context="verb">Move</Trans>
          </Button>
        </>
      }
    >
      <div className="flex flex-wrap gap-4">
        <div className="min-w-40 grow">
          <Field label={t`Day`} error={error}>
            {(control) => (
              <Input
                {...control}
                type="date"
                min="0001-01-01"
                max="9999-12-31"
                value={day}
                autoFocus
                onChange={(event) => {
                  setDay(event.target.value)
                  setError(undefined)
                }}
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
    </Dialog>
  )
}

/** Also the label of its menu item. */
export function moveTitle(from: string, timed: boolean): string {
  if (timed) return t`Move to another day or time`
  return from ? t`Move to another day` : t`Move to a day`
}
