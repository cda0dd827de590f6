import { endpoint, Success } from './endpoint.ts'
import { Id, NewId, UserId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { line } from './text.ts'
import { z } from './zod.ts'

/** Somebody who can be tagged in a collection; linked once `user_id` is set. */
export const Person = z.object({
  id: Id,
  collection_id: Id,
  name: z.string(),
  user_id: UserId.nullable(),
})
export type Person = z.infer<typeof Person>

export const NewPerson = z.strictObject({ id: NewId.optional(), name: line(LIMITS.personName, 'The name') })
export type NewPerson = z.infer<typeof NewPerson>
export const PersonEdit = z.strictObject({
  name: line(LIMITS.personName, 'The name').optional(),
  userId: UserId.nullable().optional(),
})
export type PersonEdit = z.infer<typeof PersonEdit>

/** Who has everything of the person afterwards. */
export const PersonMerge = z.strictObject({ intoId: Id })
export type PersonMerge = z.infer<typeof PersonMerge>

const People = Success.extend({ people: z.array(Person) })
export const listPeople = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/people',
  summary: 'People tagged in a collection',
  response: People,
})
export const listUnlinkedPeople = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/people/unlinked',
  summary: 'People without an account',
  response: People,
})
export const createPerson = endpoint({
  method: 'POST',
  path: '/api/collections/{id}/people',
  summary: 'Add a person',
  creates: true,
  body: NewPerson,
  response: Success.extend({ person: Person }),
})
export const updatePerson = endpoint({
  method: 'PUT',
  path: '/api/collections/{id}/people/{personId}',
  summary: 'Rename or link a person',
  body: PersonEdit,
  response: Success.extend({ person: Person }),
})
export const deletePerson = endpoint({
  method: 'DELETE',
  path: '/api/collections/{id}/people/{personId}',
  summary: 'Remove a person and their tags',
  response: Success.extend({ changeId: Id }),
})
/** Tags are united, account and invitations go over. Refused where both are linked. */
export const mergePerson = endpoint({
  method: 'POST',
  path: '/api/collections/{id}/people/{personId}/merge',
  summary: 'Make two people one',
  body: PersonMerge,
  response: Success.extend({ person: Person, changeId: Id }),
})
