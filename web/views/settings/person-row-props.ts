import type { Collection } from '../../../contract/collections.ts'
import type { Member } from '../../../contract/members.ts'
import type { Person } from '../../../contract/people.ts'

export interface PersonRowProps {
  collection: Collection
  person: Person
  /** All people in the list, and all members. */
  people: Person[]
  members: Member[]
  /** Number of items they are tagged in; null while unknown. */
  count: number | null
  invited: boolean
}
