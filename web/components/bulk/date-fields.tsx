import { t } from '#say'
import type { DateForm } from '../../lib/bulk/date.ts'
import { formatMonthName } from '../../lib/dates/text.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { ZoneField } from '../fields/zone-field.tsx'

interface FieldsProps {
  form: DateForm
  onChange: (change: Partial<DateForm>) => void
}

const precisions = () =>
  [
    { value: 'minute', label: t`Day and time` },
    { value: 'day', label: t`Day` },
    { value: 'month', label: t`Month` },
    { value: 'year', label: t`Year` },
    { value: 'unknown', label: t({ message: 'Unknown', context: 'date' }) },
  ] as const

const months = () => Array.from({ length: 12 }, (_, i) => ({ value: String(i + 1), label: formatMonthName(i + 1) }))

/** Fields for one date, with its precision, for all selected items. */
export function BulkDateFields({ form, onChange }: FieldsProps) {
  const { exact, day, time, month, year, zone } = form
  const zoned = exact === 'minute' || exact === 'day'
  return (
    <>
      <Field label={t`Precision`}>
        {(control) => <Select {...control} value={exact} options={precisions()} onValueChange={(next) => onChange({ exact: next })} />}
      </Field>
      {exact !== 'unknown' && (
        <div className="grid gap-5 sm:grid-cols-2">
          {zoned && (
            <Field label={t`Day`}>
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
            <Field label={t`Time`}>
              {(control) => <Input {...control} type="time" value={time} onChange={(event) => onChange({ time: event.target.value })} />}
            </Field>
          )}
          {exact === 'month' && (
            <Field label={t`Month`}>
              {(control) => <Select {...control} value={month} options={months()} onValueChange={(next) => onChange({ month: next })} />}
            </Field>
          )}
          {!zoned && (
            <Field label={t`Year`}>
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
