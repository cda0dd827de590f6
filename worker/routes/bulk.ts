import { Hono } from 'hono'
import { t } from '#say'
import { bulkAssets, bulkPosts } from '../../contract/bulk.ts'
import { checks } from '../auth/checks.ts'
import { signedIn } from '../auth/guard.ts'
import type { AppEnv } from '../context.ts'
import { body, idParam } from '../http/validate.ts'
import { setItemDates, setItemLocations, tagItems } from '../queries/bulk-fields.ts'
import { linkItems, unlinkItems } from '../queries/bulk-links.ts'
import type { ItemKind } from '../queries/permissions.ts'
import { removeItems } from '../queries/removal.ts'
import { editBulk, removeBulk } from '../services/edit-bulk.ts'

/** Mount before the routes of one item, whose `/:id` would match these paths. */
export function bulkRoutes(kind: ItemKind) {
  const endpoints = kind === 'post' ? bulkPosts : bulkAssets
  return new Hono<AppEnv>()
    .put('/bulk.collections.add', signedIn, checks('item.link'), body(endpoints.addToCollections.body), async (c) => {
      const { ids, collectionIds } = c.req.valid('json')
      const call = { kind, ids, action: 'link' }
      return c.json({ success: true, ...(await editBulk(c.var, call, (db, all) => linkItems(db, all, collectionIds))) })
    })
    .put('/bulk.collections.remove', signedIn, checks('item.remove'), body(endpoints.removeFromCollection.body), async (c) => {
      const { ids, collectionId } = c.req.valid('json')
      const call = { kind, ids, action: 'unlink' }
      return c.json({ success: true, ...(await removeBulk(c.var, call, (db, all) => unlinkItems(db, all, collectionId))) })
    })
    .post('/bulk.date', signedIn, checks('item.edit'), body(endpoints.setDate.body), async (c) => {
      const { ids, ...change } = c.req.valid('json')
      return c.json({
        success: true,
        ...(await editBulk(c.var, { kind, ids, action: 'date' }, (db, all) => setItemDates(db, all, change))),
      })
    })
    .post('/bulk.location', signedIn, checks('item.edit'), body(endpoints.setLocation.body), async (c) => {
      const { ids, location } = c.req.valid('json')
      const call = { kind, ids, action: 'location' }
      return c.json({ success: true, ...(await editBulk(c.var, call, (db, all) => setItemLocations(db, all, location))) })
    })
    .post('/bulk.people', signedIn, checks('item.edit'), body(endpoints.tagPeople.body), async (c) => {
      const { ids, ...change } = c.req.valid('json')
      return c.json({ success: true, ...(await editBulk(c.var, { kind, ids, action: 'people' }, (db, all) => tagItems(db, all, change))) })
    })
    .delete('/bulk', signedIn, checks('item.remove'), body(endpoints.trash.body), async (c) => {
      const { ids } = c.req.valid('json')
      return c.json({ success: true, ...(await removeBulk(c.var, { kind, ids, action: 'trash' }, removeItems)) })
    })
    .delete('/:id/collections/:collectionId', signedIn, checks('item.remove'), async (c) => {
      const id = idParam(c.req.param('id'), kind === 'post' ? t`The post was not found` : t`The asset was not found`)
      const collectionId = idParam(c.req.param('collectionId'), t`The collection was not found`)
      const call = { kind, ids: [id], action: 'unlink' }
      return c.json({ success: true, ...(await removeBulk(c.var, call, (db, all) => unlinkItems(db, all, collectionId))) })
    })
}
