import { atom } from 'jotai'
import { t } from '#say'
import type { Asset } from '../../contract/assets.ts'
import { deleteFilm } from '../../contract/films.ts'
import { call } from '../lib/api.ts'
import { applyOwnWriteAtom } from './apply-own-write.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'
import { addToastAtom } from './toasts.ts'

/** Deletes the version of a video that more browsers play. */
export const removeFilmAtom = atom(null, async (get, set, { id }: Asset) => {
  const collectionId = get(selectedCollectionIdAtom)
  const { asset } = await call(deleteFilm, { params: { id } })
  if (collectionId) set(applyOwnWriteAtom, { collectionId, assets: { rows: [asset] } })
  set(addToastAtom, { id: `film-${id}`, title: t`Playable version removed`, icon: 'movie' })
})
