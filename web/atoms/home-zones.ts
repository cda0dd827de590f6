import { atom } from 'jotai'
import { t } from '#say'
import { getHomeZones, type HomeZone, putHomeZones } from '../../contract/places.ts'
import { named } from '../lib/action-error.ts'
import { call, checkInput } from '../lib/api.ts'

/** Throws ApiError. */
export const fetchHomeZonesAtom = atom(null, async (): Promise<HomeZone[]> => (await call(getHomeZones, {})).zones)

/** Changes the zones as they are on the server: another tab may have changed them. To be called for one change at a time. Throws ActionError. */
export const changeHomeZonesAtom = atom(null, (_get, set, change: (zones: HomeZone[]) => HomeZone[]): Promise<HomeZone[]> => {
  const save = async () => {
    const body = checkInput(putHomeZones.body, { zones: change(await set(fetchHomeZonesAtom)) })
    return (await call(putHomeZones, { body })).zones
  }
  return named(t`Your home zones could not be saved`, save())
})
