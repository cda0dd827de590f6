import { Hono } from 'hono'
import { t } from '#say'
import { CollectionEdit, NewCollection, transferCollection as transferEndpoint } from '../../contract/collections.ts'
import { mayAnswer, permissionsOf } from '../../contract/policy.ts'
import { Theme } from '../../contract/themes.ts'
import { checks, ownOnly } from '../auth/checks.ts'
import { hasVerifiedEmail, signedIn } from '../auth/guard.ts'
import { signedInOrGuest } from '../auth/guest.ts'
import type { AppEnv } from '../context.ts'
import { requireRole } from '../http/access.ts'
import { sendJson } from '../http/answer.ts'
import { collectionNotFound } from '../http/errors.ts'
import { limited } from '../http/limited.ts'
import { body, collectionParam } from '../http/validate.ts'
import { deleteCollection, findCollection, listCollections, listInvitedCollections, updateCollection } from '../queries/collections.ts'
import { createCollection } from '../services/create-collection.ts'
import { transferOwnership } from '../services/transfer-ownership.ts'

export const collections = new Hono<AppEnv>()
  .get('/', signedIn, async (c) => {
    const list = await listCollections(c.var.db, c.var.user.id)
    return sendJson(c, { success: 'true', collections: list })
  })
  .get('/invited', signedIn, async (c) => {
    // An unconfirmed address may belong to another person.
    const confirmed = await hasVerifiedEmail(c)
    const invitedCollections = confirmed ? await listInvitedCollections(c.var.db, c.var.user) : []
    return c.json({ success: true, invitedCollections })
  })
  .post('/', signedIn, ownOnly, body(NewCollection), limited('collectionsOfDay'), async (c) => {
    const { made, collection } = await createCollection(c.var, c.req.valid('json'))
    return c.json({ success: true, collection }, made ? 201 : 200)
  })
  .get('/:id', signedInOrGuest, async (c) => {
    const collection = await findCollection(c.var.db, c.var.user.id, collectionParam(c))
    if (!collection) throw collectionNotFound()
    const { role, answers } = collection
    const { tokenScope } = c.var
    const permissions = { ...permissionsOf(role, tokenScope), 'comment.add': tokenScope !== 'read' && mayAnswer(role, answers) }
    return c.json({ success: true, collection, role, permissions })
  })
  .put('/:id', signedIn, checks('collection.edit'), body(CollectionEdit), async (c) => {
    const id = collectionParam(c)
    const { role, collection } = await updateCollection(c.var, id, c.req.valid('json'))
    requireRole(role, c.var.checks['collection.edit'], t`Only admins and the owner may change the collection`)
    return c.json({ success: true, collection })
  })
  .delete('/:id', signedIn, checks('collection.delete'), async (c) => {
    const { role } = await deleteCollection(c.var, collectionParam(c))
    requireRole(role, c.var.checks['collection.delete'], t`Only the owner may delete the collection`)
    return c.json({ success: true })
  })
  .post('/:id/transfer', signedIn, checks('collection.transfer'), body(transferEndpoint.body), async (c) => {
    const id = collectionParam(c)
    const collection = await transferOwnership(c.var, id, c.req.valid('json').userId)
    return c.json({ success: true, collection })
  })
  .get('/:id/theme', signedIn, async (c) => {
    const collection = await findCollection(c.var.db, c.var.user.id, collectionParam(c))
    if (!collection) throw collectionNotFound()
    return c.json({ success: true, theme: collection.theme })
  })
  .put('/:id/theme', signedIn, checks('collection.edit'), body(Theme), async (c) => {
    const theme = c.req.valid('json')
    const { role } = await updateCollection(c.var, collectionParam(c), { theme })
    requireRole(role, c.var.checks['collection.edit'], t`Only admins and the owner may change the theme`)
    return c.json({ success: true, theme })
  })
