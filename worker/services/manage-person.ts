import { say } from '#language'
import { msg, plural, t } from '#say'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { NewPerson, Person, PersonEdit } from '../../contract/people.ts'
import { requireRole } from '../http/access.ts'
import { AppError, fieldError, notFound } from '../http/errors.ts'
import { mergePeople } from '../queries/merge-people.ts'
import { deletePerson, insertPerson, updatePerson } from '../queries/people.ts'
import type { Caller } from '../queries/permissions.ts'

type PeopleCaller = Caller<'people.edit'>
type PersonKey = { collectionId: string; id: string }

const REFUSAL = msg`Your role lets you look. Ask an admin for the right to write`

/** Adds a person who can be tagged. A repeated call with the same id returns the existing person (`made` is false). */
export async function addPerson(caller: PeopleCaller, collectionId: string, input: NewPerson): Promise<{ made: boolean; person: Person }> {
  const { role, full, done, person } = await insertPerson(caller, { id: input.id ?? newId(), collectionId, name: input.name })
  requireRole(role, caller.checks['people.edit'], say(REFUSAL))
  if (person) return { made: done, person }
  if (full)
    throw new AppError(
      'conflict',
      t`A collection has at most ${plural({ count: LIMITS.peoplePerCollection }, { one: '# person', other: '# people' })}`,
    )
  throw new AppError('conflict', t`This id is taken. Send another one`)
}

/** Renames a person, or links them to a member. */
export async function changePerson(caller: PeopleCaller, key: PersonKey, edit: PersonEdit): Promise<Person> {
  const { role, found, member, taken, person } = await updatePerson(caller, key, edit)
  requireRole(role, caller.checks['people.edit'], say(REFUSAL))
  if (!found || !person) throw notFound(t`The person was not found`)
  if (!member)
    throw new AppError('invalid', t`Choose a member of the collection`, { fields: { userId: t`This is no member of the collection` } })
  if (taken) throw new AppError('conflict', t`This member is linked to another person already`)
  return person
}

/** Removes a person with all tags. Returns the id that undoes it. */
export async function removePerson(caller: PeopleCaller, key: PersonKey): Promise<string> {
  const changeId = newId()
  const { role, done } = await deletePerson(caller, key, changeId)
  requireRole(role, caller.checks['people.edit'], say(REFUSAL))
  if (!done) throw notFound(t`The person was not found`)
  return changeId
}

/** Merges a person into another, who is returned with the id that undoes it. Throws 409 if both are linked, which is to different accounts. */
export async function mergePersonInto(caller: PeopleCaller, key: PersonKey, intoId: string): Promise<{ person: Person; changeId: string }> {
  if (intoId === key.id) throw fieldError('invalid', 'intoId', t`Choose another person`)
  const changeId = newId()
  const { role, found, intoFound, clash, person } = await mergePeople(caller, { ...key, intoId }, changeId)
  requireRole(role, caller.checks['people.edit'], say(REFUSAL))
  if (!found) throw notFound(t`The person was not found`)
  if (!intoFound || !person) throw fieldError('invalid', 'intoId', t`This person is not of this collection, or no longer`)
  if (clash) throw new AppError('conflict', t`Both are linked to an account. Unlink one of them first`)
  return { person, changeId }
}
