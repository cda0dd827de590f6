import { useAtomValue } from 'jotai'
import { say } from '#language'
import { t } from '#say'
import type { Present } from '../../../contract/live.ts'
import { personName } from '../../../contract/person-name.ts'
import { postsAtom } from '../../atoms/content.ts'
import { EDITING, ownViewAtom } from '../../atoms/live.ts'
import { morePresentAtom, presentAtom } from '../../atoms/presence.ts'
import { selectedCollectionIdAtom } from '../../atoms/selected-collection.ts'
import { collectionLink } from '../../lib/links.ts'
import { VIEWS } from '../../view-table.ts'
import { PresenceList, type Whereabouts } from './presence-list.tsx'

/** Who else is in the open collection, and which view they have open. */
export function Presence() {
  const inside = useAtomValue(ownViewAtom) !== null
  const present = useAtomValue(presentAtom)
  const more = useAtomValue(morePresentAtom)
  const collectionId = useAtomValue(selectedCollectionIdAtom)
  const posts = useAtomValue(postsAtom)
  if (!inside || present.length + more === 0 || !collectionId) return null
  const titleOf = (id: string | undefined) => posts.find((post) => post.id === id)?.title
  const people = present.map((person, n) => ({ key: person.id ?? n, ...whereabouts(person, collectionId, titleOf(person.itemId)) }))
  return <PresenceList people={people} more={more} />
}

/** Of guests, and to guests, only the name is known. `title` is the title of the post with the item's id; without one the item is an asset. */
function whereabouts(
  { name: said, id, guest, view, itemId }: Present,
  collectionId: string,
  title: string | undefined,
): Omit<Whereabouts, 'key'> {
  const name = personName(said)
  if (view === undefined) return { id: guest ? undefined : id, name, editing: false, text: name, to: undefined }
  const editing = view === EDITING
  const known = VIEWS.find((each) => each.view === view)
  const link = known && collectionLink(known.view, collectionId)
  const label = known ? say(known.label) : view.charAt(0).toUpperCase() + view.slice(1)
  if (itemId === undefined) return { id, name, editing, text: `${name} – ${label}`, to: link }
  const ofPhoto = editing ? t`${name} – editing a photo` : t`${name} – ${label}, a photo`
  const ofPost = editing ? t`${name} – editing “${title ?? ''}”` : t`${name} – ${label}, “${title ?? ''}”`
  const text = title === undefined ? ofPhoto : ofPost
  const photo = `${link ?? collectionLink('media', collectionId)}&item=${itemId}`
  return { id, name, editing, text, to: title === undefined ? photo : `${collectionLink('timeline', collectionId)}#post-${itemId}` }
}
