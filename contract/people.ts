import { endpoint, Success } from './endpoint.ts'
import { Id, NewId, UserId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { line } from './text.ts'
import { NAME } from './text-words.ts'
import { z } from './zod.ts'

/** A person who can be tagged in a collection. `user_id` is set if they are linked to an account. */
export const Person = z.object({
  id: Id,
  collection_id: Id,
  name: z.string(),
  user_id: UserId.nullable(),
})
export type Person = z.infer<typeof Person>

export const NewPerson = z.strictObject({ id: NewId.optional(), name: line(LIMITS.personName, NAME) })
export type NewPerson = z.infer<typeof NewPerson>
export const PersonEdit = z.strictObject({
  name: line(LIMITS.personName, NAME).optional(),
  userId: UserId.nullable().optional(),
})
export type PersonEdit = z.infer<typeof PersonEdit>

/** `intoId`: the person who takes over tags, account and invitations. */
export const PersonMerge = z.strictObject({ intoId: Id })
export type PersonMerge = z.infer<typeof PersonMerge>

const People = Success.extend({ people: z.array(Person) })
export const listPeople = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/people',
  guests: true,
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
/** Merges tags, and moves account and invitations. Refused if both are linked. */
export const mergePerson = endpoint({
  method: 'POST',
  path: '/api/collections/{id}/people/{personId}/merge',
  summary: 'Merge two people',
  body: PersonMerge,
  response: Success.extend({ person: Person, changeId: Id }),
})
