import { atom } from 'jotai'
import type { Asset } from '../../contract/assets.ts'
import type { UploadItem } from '../lib/uploads/types.ts'
import { personalAtom } from './personal.ts'

/** Grows in place: an import may have 10,000 files. Only read when a form opens. */
const stateAtom = personalAtom(new Map<string, number>())

/**
 * When files without a date were last changed, in ms, by the id of their asset: those that were added since the app was opened. That may be the day of
 * a download, so it is only suggested.
 */
export const fileTimesAtom = atom((get) => get(stateAtom))

/** Browsers tell the present for files of which they do not know it. */
const PRESENT = 60_000

export const keepFileTimeAtom = atom(null, (_get, set, { addedAt, modifiedAt }: UploadItem, { id, date, type }: Asset) => {
  if (date !== null || modifiedAt === undefined || modifiedAt <= 0 || modifiedAt > addedAt - PRESENT) return
  if (/^(?:image|video|audio)\//.test(type)) set(stateAtom, (all) => (all.size > 0 ? all : new Map<string, number>()).set(id, modifiedAt))
})
