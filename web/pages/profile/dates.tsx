import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo, useOptimistic, useTransition } from 'react'
import { dateFormat, minutesAt, NO_DATE_SETTINGS, regionOf, WEEKDAYS } from '../../../contract/date-format.ts'
import type { DateSettings } from '../../../contract/date-settings.ts'
import { dayOf } from '../../../contract/dates.ts'
import type { Profile } from '../../../contract/users.ts'
import { updateProfileAtom } from '../../atoms/change-profile.ts'
import { profileAtom } from '../../atoms/profile.ts'
import { zoneOptions } from '../../components/fields/zone-field.tsx'
import { useAct } from '../../components/overlays/use-act.ts'
import { browserDefaults } from '../../lib/dates/reader.ts'
import { REGIONS } from '../../lib/dates/regions.ts'
import { formatZone } from '../../lib/dates/text.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/states.tsx'

/** The first option of each choice: no setting of one's own. */
const AUTOMATIC = ''

const AFTERNOON = 15 * 60 + 4

/** How dates and times are written for this person. Each choice is saved at once. */
export function DatesAndTimes() {
  const profile = useAtomValue(profileAtom)
  return profile ? <Choices profile={profile} /> : <Skeleton className="h-40" />
}

function Choices({ profile }: { profile: Profile }) {
  const update = useSetAtom(updateProfileAtom)
  const act = useAct()
  const [, startTransition] = useTransition()
  const [settings, setSettings] = useOptimistic<DateSettings>(profile)
  const browser = browserDefaults()
  const regions = useMemo(regionOptions, [])
  const zones = useMemo(() => zoneOptions(settings.timeZone ?? browser.timeZone), [settings.timeZone, browser.timeZone])
  const change = (edit: Partial<DateSettings>) =>
    startTransition(async () => {
      setSettings({ ...settings, ...edit })
      await act(() => update(edit))
    })
  const inRegion = dateFormat({ ...NO_DATE_SETTINGS, region: settings.region }, browser)
  const hours = (count: 12 | 24) => dateFormat({ ...settings, hours: count }, browser).clock(AFTERNOON)
  const automatic = (label: string) => ({ value: AUTOMATIC, label: `Automatic (${label})` })
  return (
    <div className="grid max-w-xl gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Region">
          {(control) => (
            <Select
              {...control}
              value={settings.region ?? AUTOMATIC}
              options={[automatic(regionName(regionOf(browser.language))), ...regions]}
              onValueChange={(region) => change({ region: region || null })}
            />
          )}
        </Field>
        <Field label="Time zone">
          {(control) => (
            <Select
              {...control}
              value={settings.timeZone ?? AUTOMATIC}
              options={[automatic(formatZone(browser.timeZone)), ...zones]}
              onValueChange={(timeZone) => change({ timeZone: timeZone || null })}
            />
          )}
        </Field>
        <Field label="Time">
          {(control) => (
            <Select
              {...control}
              value={String(settings.hours ?? AUTOMATIC)}
              options={[
                automatic(inRegion.clock(AFTERNOON)),
                { value: '12', label: `12 hours (${hours(12)})` },
                { value: '24', label: `24 hours (${hours(24)})` },
              ]}
              onValueChange={(count) => change({ hours: count === '12' ? 12 : count === '24' ? 24 : null })}
            />
          )}
        </Field>
        <Field label="First day of the week">
          {(control) => (
            <Select
              {...control}
              value={String(settings.firstDay ?? AUTOMATIC)}
              options={[
                automatic(WEEKDAYS[inRegion.firstDay - 1] ?? ''),
                ...WEEKDAYS.map((label, index) => ({ value: String(index + 1), label })),
              ]}
              onValueChange={(day) => change({ firstDay: Number(day) || null })}
            />
          )}
        </Field>
      </div>
      <Now settings={settings} />
    </div>
  )
}

/** The present moment as an example. */
function Now({ settings }: { settings: DateSettings }) {
  const format = dateFormat(settings, browserDefaults())
  const now = new Date().toISOString()
  const day = dayOf(now, format.timeZone) ?? ''
  return (
    <p className="text-sm text-muted">
      It is now{' '}
      <span className="text-default tabular">
        {format.day(day, { weekday: 'long' })}, {format.clock(minutesAt(now, format.timeZone))}
      </span>
      .
    </p>
  )
}

const names = new Intl.DisplayNames('en', { type: 'region' })

function regionName(region: string): string {
  return names.of(region) ?? region
}

function regionOptions() {
  const { compare } = new Intl.Collator('en')
  return REGIONS.map((value) => ({ value, label: regionName(value) })).toSorted((a, b) => compare(a.label, b.label))
}
