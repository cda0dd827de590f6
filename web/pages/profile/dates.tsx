import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo } from 'react'
import { compareNames, joined, regionName, shownLanguage } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import { dateFormat, minutesAt, NO_DATE_SETTINGS, regionOf } from '../../../contract/date-format.ts'
import type { DateSettings } from '../../../contract/date-settings.ts'
import { dayOf } from '../../../contract/dates.ts'
import type { Profile } from '../../../contract/users.ts'
import { updateProfileAtom } from '../../atoms/change-profile.ts'
import { profileAtom } from '../../atoms/profile.ts'
import { zoneOptions } from '../../components/fields/zone-field.tsx'
import { useSetting } from '../../components/use-setting.ts'
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
  const [edit, choose] = useSetting<Partial<DateSettings>>({}, update)
  const change = (one: Partial<DateSettings>) => choose({ ...edit, ...one })
  const settings = { ...profile, ...edit }
  const browser = browserDefaults()
  const regions = useMemo(regionOptions, [])
  const zones = useMemo(() => zoneOptions(settings.timeZone ?? browser.timeZone), [settings.timeZone, browser.timeZone])
  const inRegion = dateFormat({ ...NO_DATE_SETTINGS, region: settings.region }, browser, shownLanguage())
  const hours = (count: 12 | 24) => dateFormat({ ...settings, hours: count }, browser, shownLanguage()).clock(AFTERNOON)
  const automatic = (label: string) => ({ value: AUTOMATIC, label: t`Automatic (${label})` })
  return (
    <div className="grid max-w-xl gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={t`Region`}>
          {(control) => (
            <Select
              {...control}
              value={settings.region ?? AUTOMATIC}
              options={[automatic(regionName(regionOf(browser.language))), ...regions]}
              onValueChange={(region) => change({ region: region || null })}
            />
          )}
        </Field>
        <Field label={t`Time zone`}>
          {(control) => (
            <Select
              {...control}
              value={settings.timeZone ?? AUTOMATIC}
              options={[automatic(formatZone(browser.timeZone)), ...zones]}
              onValueChange={(timeZone) => change({ timeZone: timeZone || null })}
            />
          )}
        </Field>
        <Field label={t`Time`}>
          {(control) => (
            <Select
              {...control}
              value={String(settings.hours ?? AUTOMATIC)}
              options={[
                automatic(inRegion.clock(AFTERNOON)),
                { value: '12', label: t`12 hours (${{ time: hours(12) }})` },
                { value: '24', label: t`24 hours (${{ time: hours(24) }})` },
              ]}
              onValueChange={(count) => change({ hours: count === '12' ? 12 : count === '24' ? 24 : null })}
            />
          )}
        </Field>
        <Field label={t`First day of the week`}>
          {(control) => (
            <Select
              {...control}
              value={String(settings.firstDay ?? AUTOMATIC)}
              options={[
                automatic(inRegion.weekday(inRegion.firstDay)),
                ...[1, 2, 3, 4, 5, 6, 7].map((day) => ({ value: String(day), label: inRegion.weekday(day) })),
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
  const format = dateFormat(settings, browserDefaults(), shownLanguage())
  const now = new Date().toISOString()
  const day = dayOf(now, format.timeZone) ?? ''
  const text = joined([format.day(day, { weekday: 'long' }), format.clock(minutesAt(now, format.timeZone))])
  return (
    <p className="text-sm text-muted">
      <Trans>
        It is now <span className="text-default tabular-nums">{text}</span>.
      </Trans>
    </p>
  )
}

function regionOptions() {
  return REGIONS.map((value) => ({ value, label: regionName(value) })).toSorted((a, b) => compareNames(a.label, b.label))
}
