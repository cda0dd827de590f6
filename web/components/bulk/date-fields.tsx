import type { DateForm } from '../../lib/bulk/date.ts'
import { formatMonth } from '../../lib/dates/text.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { ZoneField } from '../fields/zone-field.tsx'

interface FieldsProps {
  form: DateForm
  onChange: (change: Partial<DateForm>) => void
}

const EXACT = [
  { value: 'minute', label: 'Day and time' },
  { value: 'day', label: 'Day' },
  { value: 'month', label: 'Month' },
  { value: 'year', label: 'Year' },
  { value: 'unknown', label: 'Unknown' },
] as const

const MONTHS = Array.from({ length: 12 }, (_, index) => ({
  value: String(index + 1),
  label: formatMonth(`2024-${String(index + 1).padStart(2, '0')}`).replace(' 2024', ''),
}))

/** Fields for one date, with its precision, for all selected items. */
export function BulkDateFields({ form, onChange }: FieldsProps) {
  const { exact, day, time, month, year, zone } = form
  const zoned = exact === 'minute' || exact === 'day'
  return (
    <>
      <Field label="Precision">
        {(control) => <Select {...control} value={exact} options={EXACT} onValueChange={(next) => onChange({ exact: next })} />}
      </Field>
      {exact !== 'unknown' && (
        <div className="grid gap-5 sm:grid-cols-2">
          {zoned && (
            <Field label="Day">
              {(control) => (
                <Input
                  {...control}
                  type="date"
                  min="0001-01-01"
                  max="9999-12-31"
                  value={day}
                  onChange={(event) => onChange({ day: event.target.value })}
                />
              )}
            </Field>
          )}
          {exact === 'minute' && (
            <Field label="Time">
              {(control) => <Input {...control} type="time" value={time} onChange={(event) => onChange({ time: event.target.value })} />}
            </Field>
          )}
          {exact === 'month' && (
            <Field label="Month">
              {(control) => <Select {...control} value={month} options={MONTHS} onValueChange={(next) => onChange({ month: next })} />}
            </Field>
          )}
          {!zoned && (
            <Field label="Year">
              {(control) => (
                <Input {...control} inputMode="numeric" value={year} onChange={(event) => onChange({ year: event.target.value })} />
              )}
            </Field>
          )}
        </div>
      )}
      {zoned && <ZoneField zone={zone} suggested={null} onChange={(next) => onChange({ zone: next })} />}
    </>
  )
}
