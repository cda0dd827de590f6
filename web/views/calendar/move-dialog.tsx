import { type FormEvent, useState } from 'react'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { isDay } from '../../lib/calendar-address.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'

/** Asks for a day; the result is `YYYY-MM-DD`. */
export function MoveDialog({ name, from, open, close, onClosed }: { name: string; from: string } & OverlayProps<string>) {
  const [day, setDay] = useState(from)
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isDay(day)) close(day)
    else setError('Choose a day between the years 1 and 9999')
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || close()}
      onClosed={onClosed}
      size="sm"
      title={from ? 'Move to another day' : 'Move to a day'}
      description={`${name}. A time of day and its zone stay as they are.`}
      wrap={(content) => (
        <form onSubmit={submit} noValidate className="flex min-h-0 flex-col">
          {content}
        </form>
      )}
      footer={
        <>
          <Button onClick={() => close()}>Cancel</Button>
          <Button type="submit" variant="primary">
            Move
          </Button>
        </>
      }
    >
      <Field label="Day" error={error}>
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
    </Dialog>
  )
}
