import { atom } from 'jotai'
import { circleAtom, circleErrorAtom } from './circle.ts'
import { selectedCollectionAtom } from './collections.ts'
import { fetchCircleAtom } from './members.ts'
import { personalAtom } from './personal.ts'
import { profileAtom } from './profile.ts'

/** Versions of the pictures of known users, null for those without one: members of the open collection, and the signed-in user. */
export const avatarsAtom = atom((get) => {
  const known = new Map(get(circleAtom)?.members.map(({ user_id, avatar }) => [user_id, avatar]))
  const profile = get(profileAtom)
  if (profile) known.set(profile.id, profile.avatar)
  return known
})

const fetchingAtom = personalAtom<string | null>(null)

/** Fetches the members of the open collection when the first picture is needed. Their failure only leaves initials. */
export const ensureAvatarsAtom = atom(null, async (get, set) => {
  const collection = get(selectedCollectionAtom)
  if (!collection || get(fetchingAtom) === collection.id) return
  if ([get(circleAtom), get(circleErrorAtom)].some((state) => state?.collectionId === collection.id)) return
  set(fetchingAtom, () => collection.id)
  await set(fetchCircleAtom, collection.id, collection.role)
  set(fetchingAtom, () => null)
})
