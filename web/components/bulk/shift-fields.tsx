import { say } from '#language'
import { msg, t } from '#say'
import { Trans } from '#say/react'
import type { DateForm } from '../../lib/bulk/date.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Segments } from '../../ui/segments.tsx'

const directions = () =>
  [
    { value: 'earlier', label: t`− Earlier` },
    { value: 'later', label: t`+ Later` },
  ] as const
const UNITS = [
  { key: 'days', label: msg`Days` },
  { key: 'hours', label: msg`Hours` },
  { key: 'minutes', label: msg`Minutes` },
] as const

/** Shifts dates by an amount in either direction, for example when a camera's clock was wrong. */
export function BulkShiftFields({ form, onChange }: { form: DateForm; onChange: (change: Partial<DateForm>) => void }) {
  return (
    <>
      <Segments label={t`Direction`} options={directions()} value={form.direction} onChange={(direction) => onChange({ direction })} />
      <div className="grid grid-cols-3 gap-3">
        {UNITS.map(({ key, label }) => (
          <Field key={key} label={say(label)}>
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                autoComplete="off"
                placeholder="0"
                value={form[key]}
                onChange={(event) => onChange({ [key]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <p className="text-sm text-muted">
        <Trans>
          Shifting by days keeps the local time of day, even when the clocks change. Hours and minutes are added as elapsed time.
        </Trans>
      </p>
    </>
  )
}
