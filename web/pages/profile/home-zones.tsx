import { useSetAtom } from 'jotai'
import { useRef, useState } from 'react'
import { t } from '#say'
import { Plural, Trans } from '#say/react'
import type { Location } from '../../../contract/locations.ts'
import { HOME_ZONES, type HomeZone } from '../../../contract/places.ts'
import { changeHomeZonesAtom, fetchHomeZonesAtom } from '../../atoms/home-zones.ts'
import { LocationField } from '../../components/fields/location-field.tsx'
import { focusBeside } from '../../components/focus-beside.ts'
import { useAct } from '../../components/overlays/use-act.ts'
import { ROW, ROWS } from '../../components/settings-section.tsx'
import { useLoad } from '../../components/use-load.ts'
import { inTurn } from '../../lib/in-turn.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { FailedNotice, Skeleton } from '../../ui/states.tsx'

const RADII = [250, 500, 1_000, 2_000, 5_000, 10_000, 20_000]
/** Zones have no id; two that are alike are one. */
const keyOf = (zone: HomeZone) => JSON.stringify(zone)
const radiusText = (metres: number) => (metres < 1_000 ? t`${metres} m` : t`${{ kilometres: metres / 1_000 }} km`)

/** The circles inside which others see the town only. Each change is saved at once. */
export function HomeZones() {
  const fetchZones = useSetAtom(fetchHomeZonesAtom)
  const changeZones = useSetAtom(changeHomeZonesAtom)
  const act = useAct()
  const [oneAtATime] = useState(inTurn)
  const [zones, setZones] = useState<HomeZone[] | null>(null)
  const [failure, load] = useLoad(async () => setZones(await fetchZones()))
  if (failure) return <FailedNotice message={failure} onRetry={load} />
  if (!zones) return <Skeleton className="h-12" />
  const save = (change: (zones: HomeZone[]) => HomeZone[]) => act(() => oneAtATime(async () => setZones(await changeZones(change))))
  return (
    <div className="grid max-w-xl gap-4">
      {zones.length > 0 && (
        <ul aria-label={t`Home zones`} className={ROWS}>
          {zones.map((zone) => (
            <ZoneRow key={keyOf(zone)} zone={zone} onRemove={() => save((now) => now.filter((other) => keyOf(other) !== keyOf(zone)))} />
          ))}
        </ul>
      )}
      {zones.length < HOME_ZONES ? (
        <NewZone onAdd={(zone) => save((now) => [...now, zone])} />
      ) : (
        <p className="text-sm text-muted">
          <Plural
            value={HOME_ZONES}
            one="You have # zone. Remove one to add another."
            other="You have # zones. Remove one to add another."
          />
        </p>
      )}
    </div>
  )
}

function ZoneRow({ zone: { name, radius }, onRemove }: { zone: HomeZone; onRemove: () => Promise<boolean> }) {
  const row = useRef<HTMLLIElement>(null)
  const remove = async () => {
    const goBeside = focusBeside(row.current)
    if (await onRemove()) goBeside()
  }
  return (
    <li ref={row} className={ROW}>
      <span className="min-w-0 grow wrap-anywhere">
        {name}{' '}
        <span className="text-sm text-muted">
          <Trans>{radiusText(radius)} radius</Trans>
        </span>
      </span>
      <Button variant="ghost" size="sm" icon="delete" onClick={() => void remove()}>
        <Trans>Remove {name}</Trans>
      </Button>
    </li>
  )
}

function NewZone({ onAdd }: { onAdd: (zone: HomeZone) => Promise<boolean> }) {
  const [name, setName] = useState(t({ message: 'Home', context: 'where somebody lives' }))
  const [location, setLocation] = useState<Location | null>(null)
  const [radius, setRadius] = useState(1_000)
  const [busy, setBusy] = useState(false)
  const add = async () => {
    if (!location) return
    setBusy(true)
    const added = await onAdd({ name: name.trim(), lat: location.lat, lon: location.lon, radius })
    setBusy(false)
    if (added) setLocation(null)
  }
  return (
    <fieldset className="grid grid-cols-1 gap-4 rounded-lg border p-4">
      <legend className="px-1 text-sm font-medium">
        <Trans>New zone</Trans>
      </legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t`Name`} hint={t`Only you see it.`}>
          {(control) => <Input {...control} value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" />}
        </Field>
        <Field label={t`Radius`} hint={t`Choose it wider than you need: the edge of a zone can give away its centre.`}>
          {(control) => (
            <Select
              {...control}
              value={String(radius)}
              options={RADII.map((metres) => ({ value: String(metres), label: radiusText(metres) }))}
              onValueChange={(next) => setRadius(Number(next))}
            />
          )}
        </Field>
      </div>
      <LocationField label={t`Centre`} value={location} onChange={setLocation} />
      <Button
        icon="add"
        loading={busy}
        className="justify-self-start"
        disabledReason={!location ? t`Choose the centre first` : name.trim() ? undefined : t`Give it a name`}
        onClick={() => void add()}
      >
        <Trans>Add zone</Trans>
      </Button>
    </fieldset>
  )
}
