import type { Collection } from '../../../contract/collections.ts'
import type { Member } from '../../../contract/members.ts'
import type { Person } from '../../../contract/people.ts'

export interface PersonRowProps {
  collection: Collection
  person: Person
  /** Everybody in the list, and every member. */
  people: Person[]
  members: Member[]
  /** How many items they are tagged in; null while it is not known. */
  count: number | null
  invited: boolean
}
