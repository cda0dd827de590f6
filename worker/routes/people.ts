import { Hono } from 'hono'
import { t } from '#say'
import { NewPerson, PersonEdit, PersonMerge } from '../../contract/people.ts'
import { checks } from '../auth/checks.ts'
import { signedIn } from '../auth/guard.ts'
import { signedInOrGuest } from '../auth/guest.ts'
import type { AppEnv } from '../context.ts'
import { collectionNotFound } from '../http/errors.ts'
import { body, collectionParam, idParam, type WithParam } from '../http/validate.ts'
import { listPeople } from '../queries/people.ts'
import { addPerson, changePerson, mergePersonInto, removePerson } from '../services/manage-person.ts'

const keyOf = (c: WithParam<'id' | 'personId'>) => ({
  collectionId: collectionParam(c),
  id: idParam(c.req.param('personId'), t`The person was not found`),
})

export const people = new Hono<AppEnv>()
  .get('/', signedInOrGuest, async (c) => {
    const list = await listPeople(c.var.db, c.var.user.id, collectionParam(c))
    if (!list) throw collectionNotFound()
    return c.json({ success: true, people: list })
  })
  .get('/unlinked', signedIn, async (c) => {
    const list = await listPeople(c.var.db, c.var.user.id, collectionParam(c), 'unlinked')
    if (!list) throw collectionNotFound()
    return c.json({ success: true, people: list })
  })
  .post('/', signedIn, checks('people.edit'), body(NewPerson), async (c) => {
    const { made, person } = await addPerson(c.var, collectionParam(c), c.req.valid('json'))
    return c.json({ success: true, person }, made ? 201 : 200)
  })
  .put('/:personId', signedIn, checks('people.edit'), body(PersonEdit), async (c) => {
    const person = await changePerson(c.var, keyOf(c), c.req.valid('json'))
    return c.json({ success: true, person })
  })
  .delete('/:personId', signedIn, checks('people.edit'), async (c) => {
    return c.json({ success: true, changeId: await removePerson(c.var, keyOf(c)) })
  })
  .post('/:personId/merge', signedIn, checks('people.edit'), body(PersonMerge), async (c) => {
    return c.json({ success: true, ...(await mergePersonInto(c.var, keyOf(c), c.req.valid('json').intoId)) })
  })
