import { atom } from 'jotai'
import { t } from '#say'
import { getHomeZones, type HomeZone, putHomeZones } from '../../contract/places.ts'
import { named } from '../lib/action-error.ts'
import { call, checkInput } from '../lib/api.ts'

/** Throws ApiError. */
export const fetchHomeZonesAtom = atom(null, async (): Promise<HomeZone[]> => (await call(getHomeZones, {})).zones)

/** Throws ActionError. */
export const saveHomeZonesAtom = atom(null, async (_get, _set, zones: readonly HomeZone[]): Promise<HomeZone[]> => {
  const body = checkInput(putHomeZones.body, { zones })
  return (await named(t`Your home zones could not be saved`, call(putHomeZones, { body }))).zones
})
