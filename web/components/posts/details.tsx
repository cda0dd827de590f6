import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { seesExactly } from '../../../contract/places.ts'
import { EVENT_KINDS, KINDS, NOTE_KINDS, type PostType } from '../../../contract/posts.ts'
import { assetsAtom, postsAtom } from '../../atoms/content.ts'
import { zoneNear } from '../../lib/dates/zone-near.ts'
import type { Draft } from '../../lib/posts/drafts.ts'
import { kindLabel } from '../../lib/posts/kind-label.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Select } from '../../ui/select.tsx'
import { PeopleField } from '../fields/people-field.tsx'
import { PlaceField } from '../fields/place-field.tsx'
import { WhenFields } from '../fields/when-fields.tsx'

interface PostDetailsProps {
  draft: Draft
  pictures: readonly string[]
  fields: Record<string, string>
  onChange: (change: Partial<Draft>) => void
}

const types = () =>
  [
    { value: 'event', label: kindLabel('event'), icon: 'event' },
    { value: 'note', label: kindLabel('note'), icon: 'sticky-note-2' },
  ] as const

export function PostDetails({ draft, pictures, fields, onChange }: PostDetailsProps) {
  const { id, type, kind, location } = draft
  const place = useAtomValue(postsAtom).find((post) => post.id === id)?.place
  const assets = useAtomValue(assetsAtom)
  const chosen = useMemo(() => {
    const wanted = new Set(pictures)
    return assets.filter(({ id }) => wanted.has(id))
  }, [assets, pictures])
  // A post shows its place by its own rule, so it must not get one that is hidden from others.
  const photoLocation = chosen.find((asset) => asset.location && !asset.place)?.location ?? null
  const elsewhere = photoLocation && (photoLocation.lat !== location?.lat || photoLocation.lon !== location.lon)
  const kinds = type === 'event' ? EVENT_KINDS : NOTE_KINDS
  const convertTo = (next: PostType) =>
    onChange({ type: next, kind: KINDS[next].includes(kind) ? kind : next === 'event' ? 'trip' : 'journal' })
  return (
    <>
      <Segments label={t({ message: 'Type', context: 'noun' })} hideLabel options={types()} value={type} onChange={convertTo} />
      <Field label={t({ message: 'Kind', context: 'noun' })} error={fields.kind}>
        {(control) => (
          <Select
            {...control}
            value={kind}
            onValueChange={(next) => onChange({ kind: next })}
            options={kinds.map((value) => ({ value: value as string, label: kindLabel(value) }))}
          />
        )}
      </Field>
      <WhenFields {...{ draft, fields, onChange }} suggested={zoneNear(chosen, location, assets)} />
      <div className="grid gap-2">
        <PlaceField place={place} location={location} hidden={draft.placeHidden ?? false} onChange={onChange} />
        {elsewhere && seesExactly({ place }) && (
          <Button size="sm" icon="photo-camera" className="justify-self-start" onClick={() => onChange({ location: photoLocation })}>
            <Trans>Use the place of the photos</Trans>
          </Button>
        )}
      </div>
      <PeopleField value={draft.people} onChange={(people) => onChange({ people })} />
    </>
  )
}
