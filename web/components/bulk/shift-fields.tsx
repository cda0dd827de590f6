import type { DateForm } from '../../lib/bulk/date.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Segments } from '../../ui/segments.tsx'

const DIRECTIONS = [
  { value: 'earlier', label: '− Earlier' },
  { value: 'later', label: '+ Later' },
] as const
const UNITS = [
  { key: 'days', label: 'Days' },
  { key: 'hours', label: 'Hours' },
  { key: 'minutes', label: 'Minutes' },
] as const

/** Shifts dates by an amount in either direction, for example when a camera's clock was wrong. */
export function BulkShiftFields({ form, onChange }: { form: DateForm; onChange: (change: Partial<DateForm>) => void }) {
  return (
    <>
      <Segments label="Direction" options={DIRECTIONS} value={form.direction} onChange={(direction) => onChange({ direction })} />
      <div className="grid grid-cols-3 gap-3">
        {UNITS.map(({ key, label }) => (
          <Field key={key} label={label}>
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
        Shifting by days keeps the local time of day, even when the clocks change. Hours and minutes are added as elapsed time.
      </p>
    </>
  )
}
