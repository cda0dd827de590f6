import { atom } from 'jotai'
import { t } from '#say'
import type { Asset } from '../../contract/assets.ts'
import { deleteFilm } from '../../contract/films.ts'
import { call } from '../lib/api.ts'
import { applyAnswerAtom } from './apply-answer.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'
import { addToastAtom } from './toasts.ts'

/** Deletes the version of a video that more browsers play. */
export const removeFilmAtom = atom(null, async (get, set, { id }: Asset) => {
  const collectionId = get(selectedCollectionIdAtom)
  const { asset } = await call(deleteFilm, { params: { id } })
  if (collectionId) set(applyAnswerAtom, { collectionId, assets: { rows: [asset], deleted: [] } })
  set(addToastAtom, { id: `film-${id}`, title: t`Playable version removed`, icon: 'movie' })
})
