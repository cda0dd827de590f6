import type { Asset, AssetEdit } from '../../../contract/assets.ts'
import { dayOf } from '../../../contract/dates.ts'
import { timeAt } from '../dates/moments.ts'
import { localZone } from '../dates/zones.ts'
import type { AssetDraft } from '../posts/drafts.ts'
import { whenOf } from '../posts/post-draft.ts'

export function assetDraftOf({ alt, date, date_zone: zone, date_precision: precision, location, place, people }: Asset): AssetDraft {
  return {
    alt: alt ?? '',
    type: 'note',
    exact: precision === 'minute' ? 'day' : precision,
    day: dayOf(date, zone) ?? '',
    time: date && precision === 'minute' ? timeAt(date, zone) : '',
    zone: zone ?? (date ? 'UTC' : localZone()),
    endDay: '',
    endTime: '',
    location,
    placeHidden: place?.hidden ?? false,
    people,
  }
}

/** Only the fields changed in the form, so that other users' changes to the rest survive. */
export function assetPatchOf(start: AssetDraft, draft: AssetDraft): AssetEdit {
  const differ = (...keys: (keyof AssetDraft)[]) => keys.some((key) => JSON.stringify(start[key]) !== JSON.stringify(draft[key]))
  const { endsAt: _, ...when } = whenOf(draft)
  return {
    ...(start.alt.trim() !== draft.alt.trim() ? { alt: draft.alt.trim() || null } : {}),
    ...(differ('exact', 'day', 'time', 'zone') ? when : {}),
    ...(differ('location') ? { location: draft.location } : {}),
    ...(differ('placeHidden') ? { placeHidden: draft.placeHidden } : {}),
    ...(differ('people') ? { peopleIds: draft.people } : {}),
  }
}
