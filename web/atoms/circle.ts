import type { Invite } from '../../contract/invites.ts'
import type { Member } from '../../contract/members.ts'
import type { Person } from '../../contract/people.ts'
import { personalAtom } from './personal.ts'

/** Members, people and invitations of a collection. `invites` is empty for users who may not see them. */
export interface Circle {
  collectionId: string
  members: Member[]
  invites: Invite[]
  people: Person[]
  /** It shows everything up to this revision of the collection, perhaps more. */
  revision: number
}

/** Of the collection opened last; null until it is fetched (members.ts). In its own file, because the first screen needs no more of it. */
export const circleAtom = personalAtom<Circle | null>(null)
/** Why it could not be fetched. */
export const circleErrorAtom = personalAtom<{ collectionId: string; message: string } | null>(null)
