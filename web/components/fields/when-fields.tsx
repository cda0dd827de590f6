import { useId, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { today } from '../../lib/dates/moments.ts'
import { formatMonthName } from '../../lib/dates/text.ts'
import { endProblem, startingOn, type WhenDraft } from '../../lib/posts/post-draft.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { ZoneField } from './zone-field.tsx'

interface WhenFieldsProps {
  draft: WhenDraft
  /** Time zones suggested by the photos or the location. */
  suggested: string | null
  fields: Record<string, string>
  onChange: (change: Partial<WhenDraft>) => void
}

const precisions = () =>
  [
    { value: 'day', label: t`A day` },
    { value: 'month', label: t`A month` },
    { value: 'year', label: t`A year` },
    { value: 'unknown', label: t({ message: 'Unknown', context: 'date' }) },
  ] as const

const months = () => Array.from({ length: 12 }, (_, i) => ({ value: String(i + 1).padStart(2, '0'), label: formatMonthName(i + 1) }))

/** A date: a day with or without a time, a month, a year, or unknown. Events can have an end. */
export function WhenFields({ draft, suggested, fields, onChange }: WhenFieldsProps) {
  const { exact, day, time, type, endDay, endTime } = draft
  const error = fields.date ?? fields.dateZone
  const lasts = type === 'event' && exact === 'day' && day !== ''
  const begin = (value: string) => onChange(startingOn(draft, value))
  return (
    <fieldset className="grid grid-cols-1 gap-3">
      <legend className="sr-only">
        <Trans>When</Trans>
      </legend>
      <Field label={t`When`} error={exact === 'day' ? undefined : error}>
        {(control) => (
          <Select
            {...control}
            value={exact}
            options={precisions()}
            // A missing day starts with the current month or year.
            onValueChange={(next) => onChange({ exact: next, day: day || (next === 'unknown' ? '' : today()) })}
          />
        )}
      </Field>
      {exact === 'day' && (
        <div className="grid grid-cols-[minmax(0,1fr)_8.5rem] gap-2 sm:grid-cols-[minmax(0,1fr)_8rem]">
          <Field label={t`Day`} error={error} hint={day ? undefined : t`Without a day it is listed last.`}>
            {(control) => <DayInput {...control} value={day} onChange={begin} />}
          </Field>
          <Field label={t`Time (optional)`}>
            {(control) => (
              <Input {...control} type="time" value={time} disabled={!day} onChange={(event) => onChange({ time: event.target.value })} />
            )}
          </Field>
        </div>
      )}
      {(exact === 'month' || exact === 'year') && <MonthAndYear draft={draft} onChange={begin} />}
      {lasts && <EndFields {...{ endDay, endTime, day, time }} error={endProblem(draft)} onChange={onChange} />}
      {exact === 'day' && time && <ZoneField zone={draft.zone} suggested={suggested} onChange={(zone) => onChange({ zone })} />}
    </fieldset>
  )
}

interface DayInputProps {
  value: string
  onChange: (day: string) => void
}

function DayInput({ onChange, ...rest }: DayInputProps & Omit<React.ComponentProps<'input'>, 'onChange'>) {
  return <Input {...rest} type="date" min="0001-01-01" max="9999-12-31" onChange={(event) => onChange(event.target.value)} />
}

function MonthAndYear({ draft: { exact, day }, onChange }: { draft: WhenDraft; onChange: (day: string) => void }) {
  const [year = '', month = '01'] = day.split('-')
  const set = (y: string, m: string) => {
    const digits = y.replace(/\D/g, '').slice(0, 4)
    onChange(`${digits.padStart(4, '0')}-${m}-01`)
  }
  return (
    <div className="grid grid-cols-2 gap-2">
      {exact === 'month' && (
        <Field label={t`Month`}>
          {(control) => <Select {...control} value={month} options={months()} onValueChange={(next) => set(year, next)} />}
        </Field>
      )}
      <Field label={t`Year`}>
        {(control) => (
          <Input
            {...control}
            type="number"
            min={1}
            max={9999}
            value={Number(year) || ''}
            onChange={(event) => set(event.target.value, month)}
          />
        )}
      </Field>
    </div>
  )
}

interface EndFieldsProps extends Pick<WhenDraft, 'day' | 'time' | 'endDay' | 'endTime'> {
  error: string | undefined
  onChange: (change: Partial<WhenDraft>) => void
}

/** The end of an event, hidden until it is added. */
function EndFields({ day, time, endDay, endTime, error, onChange }: EndFieldsProps) {
  const id = useId()
  // The control that replaces another takes over its focus. It stays while a day is half typed, which counts as none.
  const [last, setLast] = useState<'added' | 'removed' | null>(null)
  const put = (next: 'added' | 'removed', end: Partial<WhenDraft>) => {
    setLast(next)
    onChange(end)
  }
  if (!endDay && !endTime && last !== 'added')
    return (
      <Button
        variant="ghost"
        size="sm"
        icon="add"
        autoFocus={last === 'removed'}
        className="-ms-2 justify-self-start"
        onClick={() => put('added', { endDay: day })}
      >
        <Trans>Add end</Trans>
      </Button>
    )
  return (
    <div className="grid gap-1.5">
      <div className="grid grid-cols-[minmax(0,1fr)_8.5rem_auto] items-end gap-2 sm:grid-cols-[minmax(0,1fr)_8rem_auto]">
        <Field label={t`Last day`}>
          {(control) => (
            <DayInput
              {...control}
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? id : undefined}
              value={endDay}
              autoFocus={last === 'added'}
              onChange={(value) => put('added', { endDay: value })}
            />
          )}
        </Field>
        <Field label={t`Until`}>
          {(control) => (
            <Input
              {...control}
              type="time"
              value={endTime}
              disabled={!time}
              onChange={(event) => onChange({ endTime: event.target.value })}
            />
          )}
        </Field>
        <Button variant="ghost" icon="close" iconOnly className="mb-0.5" onClick={() => put('removed', { endDay: '', endTime: '' })}>
          <Trans>Remove end</Trans>
        </Button>
      </div>
      <p id={id} aria-live="polite" className={error ? 'text-sm text-danger' : 'hidden'}>
        {error}
      </p>
    </div>
  )
}
