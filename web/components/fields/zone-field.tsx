import { useMemo } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { formatZone } from '../../lib/dates/text.ts'
import { localZone } from '../../lib/dates/zones.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'

interface ZoneFieldProps {
  zone: string
  /** Suggested by the photos or the location. */
  suggested: string | null
  onChange: (zone: string) => void
}

/** The time zone of a time. */
export function ZoneField({ zone, suggested, onChange }: ZoneFieldProps) {
  const options = useMemo(() => zoneOptions(zone), [zone])
  return (
    <Field
      label={t`Time zone`}
      hint={
        suggested &&
        suggested !== zone && (
          <span className="flex flex-wrap items-center gap-x-2">
            <Trans comment="A time zone">Its photos or place suggest {formatZone(suggested)}.</Trans>
            <Button size="sm" variant="accent" className="-mx-1.5" onClick={() => onChange(suggested)}>
              <Trans comment="The time zone that is suggested">Use it</Trans>
            </Button>
          </span>
        )
      }
    >
      {(control) => <Select {...control} value={zone} options={options} onValueChange={onChange} />}
    </Field>
  )
}

/** All time zones of this browser, the local one first, and a fixed offset that came with a photo. */
export function zoneOptions(current: string) {
  const all = new Set([current, localZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])
  return [...all].map((value) => ({ value, label: /^[+-]|^UTC$/.test(value) ? formatZone(value) : value.replaceAll('_', ' ') }))
}
