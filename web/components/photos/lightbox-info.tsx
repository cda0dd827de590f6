import { useAtomValue } from 'jotai'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { joined, numberText } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Asset } from '../../../contract/assets.ts'
import { formatSize } from '../../../contract/format-size.ts'
import { personName } from '../../../contract/person-name.ts'
import { collectionsAtom } from '../../atoms/collections.ts'
import { mayEditAtom } from '../../atoms/rights.ts'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import { dayKeyOf } from '../../lib/content/order.ts'
import { formatDay, formatTime, formatWhen, formatZone } from '../../lib/dates/text.ts'
import { localZone } from '../../lib/dates/zones.ts'
import { formatDuration } from '../../lib/media-text.ts'
import { dateByName } from '../../lib/photos/date-in-name.ts'
import { Button } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { EditingMark } from '../editing-mark.tsx'
import { LocationMap } from '../map/location-map.tsx'
import { lazyPart } from '../optional-part.tsx'
import { OriginalAuthor } from '../original-author.tsx'
import { PlaceMark } from '../place-mark.tsx'
import { usePeople } from '../use-people.ts'
import { LightboxFilm } from './lightbox-film.tsx'
import { LightboxPanel } from './lightbox-panel.tsx'
import { LightboxParts } from './lightbox-parts.tsx'

const LightboxEdit = lazyPart(async () => (await import('./lightbox-edit.tsx')).LightboxEdit)

interface LightboxInfoProps {
  asset: Asset
  onClose: () => void
}

/** Shows and edits an asset's details: beside it on wide screens, over its lower half on small ones. */
export function LightboxInfo({ asset, onClose }: LightboxInfoProps) {
  const mayEdit = useAtomValue(mayEditAtom)(asset)
  // Moving to another asset closes the form.
  const [edited, setEdited] = useState<string | null>(null)
  const editing = edited === asset.id
  const edit = useRef<HTMLButtonElement>(null)
  const endEdit = () => {
    flushSync(() => setEdited(null))
    // It was in the form, or in the question whether to discard it.
    if (!document.activeElement?.closest('.yarl__portal')) edit.current?.focus()
  }
  const refusal = t`${personName(asset.user_name)} added this. An admin or the owner can change it.`
  return (
    <LightboxPanel
      name={t`Information`}
      title={editing ? t({ message: 'Edit', context: 'verb' }) : t`Information`}
      onClose={onClose}
      actions={
        !editing && (
          <Button
            ref={edit}
            variant="ghost"
            size="sm"
            icon="edit"
            disabledReason={mayEdit ? undefined : refusal}
            onClick={() => setEdited(asset.id)}
          >
            <Trans context="verb">Edit</Trans>
          </Button>
        )
      }
    >
      {editing ? (
        <Suspense>
          <LightboxEdit key={asset.id} asset={asset} onClose={endEdit} />
        </Suspense>
      ) : (
        <>
          <Facts asset={asset} />
          <LightboxParts asset={asset} />
          {mayEdit && asset.renditions.includes('film') && <LightboxFilm asset={asset} />}
        </>
      )}
    </LightboxPanel>
  )
}

function Facts({ asset }: { asset: Asset }) {
  const userId = useAtomValue(sessionUserIdAtom)
  const known = usePeople(asset.people.length > 0)
  const people = asset.people.flatMap((id) => known.find((person) => person.id === id)?.name ?? [])
  const collections = useAtomValue(collectionsAtom)
  const byName = dateByName(asset)
  const names = asset.collections.flatMap(({ collection_id }) => collections?.find(({ id }) => id === collection_id)?.name ?? [])
  return (
    <dl className="grid gap-5 px-5 pt-2 pb-8 text-sm">
      {asset.alt && (
        <Entry icon="label" term={t`Description`}>
          {asset.alt}
        </Entry>
      )}
      <Entry icon="calendar-today" term={t`Date`}>
        <WhenText asset={asset} />
        {byName && <Line dim>{byName}</Line>}
      </Entry>
      {asset.location && (
        <Entry icon="location-on" term={t({ message: 'Place', context: 'noun' })}>
          {asset.location.name && <Line>{asset.location.name}</Line>}
          <Line dim={Boolean(asset.location.name)}>{coordinates(asset.location)}</Line>
          <PlaceMark place={asset.place} own={asset.user_id === userId} />
          <LocationMap key={`${asset.location.lat} ${asset.location.lon}`} location={asset.location} className="mt-2 h-28" />
        </Entry>
      )}
      {people.length > 0 && (
        <Entry icon="group" term={t`People`}>
          {joined(people)}
        </Entry>
      )}
      {names.length > 0 && (
        <Entry icon="collections-bookmark" term={t`Collections`}>
          {joined(names)}
        </Entry>
      )}
      <Entry icon="draft" term={t({ message: 'File', context: 'noun' })}>
        <Line>{asset.name}</Line>
        <Line dim>{measures(asset)}</Line>
      </Entry>
      <Entry icon="person" term={t({ message: 'Added by', comment: 'Before the name of a person' })}>
        <Line>{personName(asset.user_name)}</Line>
        <OriginalAuthor name={asset.original_author} />
        <Line dim>{formatWhen({ date: asset.created_at, date_zone: localZone(), date_precision: 'minute' })}</Line>
        <EditingMark itemId={asset.id} />
      </Entry>
    </dl>
  )
}

function Entry({ icon, term, children }: { icon: IconName; term: string; children: ReactNode }) {
  return (
    <div className="flex gap-4">
      <Icon name={icon} className="mt-px text-(--text-muted)" />
      <dt className="sr-only">{term}</dt>
      <dd className="min-w-0 grow wrap-anywhere">{children}</dd>
    </div>
  )
}

function Line({ dim = false, children }: { dim?: boolean; children: ReactNode }) {
  return <span className={dim ? 'block text-muted tabular-nums' : 'block tabular-nums'}>{children}</span>
}

function WhenText({ asset }: { asset: Asset }) {
  if (asset.date === null || asset.date_precision !== 'minute') return formatWhen(asset)
  return (
    <>
      <span className="block tabular-nums first-letter:uppercase">{formatDay(dayKeyOf(asset))}</span>
      <Line dim>
        {formatTime(asset.date, asset.date_zone)} {formatZone(asset.date_zone)}
      </Line>
    </>
  )
}

function coordinates({ lat, lon }: { lat: number; lon: number }): string {
  const [latitude, longitude] = [numberText(Math.abs(lat), 5), numberText(Math.abs(lon), 5)]
  const northOrSouth = lat < 0 ? t`${latitude}° S` : t`${latitude}° N`
  const eastOrWest = lon < 0 ? t`${longitude}° W` : t`${longitude}° E`
  return joined([northOrSouth, eastOrWest])
}

function measures({ width, height, size, duration }: Asset): string {
  const pixels = width && height ? `${width} × ${height}` : ''
  return [pixels, duration === null ? '' : formatDuration(duration), formatSize(size)].filter(Boolean).join(' · ')
}
