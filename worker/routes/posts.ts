import { Hono } from 'hono'
import { say } from '#language'
import { msg } from '#say'
import { CopyBody, ListQuery } from '../../contract/paging.ts'
import { getPost, linkPost, NewPost, PostEdit, PostReplacement } from '../../contract/posts.ts'
import { checks } from '../auth/checks.ts'
import { signedIn } from '../auth/guard.ts'
import { signedInOrGuest } from '../auth/guest.ts'
import { requireCollection } from '../auth/personal-token.ts'
import type { AppEnv } from '../context.ts'
import { expectedVersion } from '../http/access.ts'
import { sendPage } from '../http/answer.ts'
import { notFound } from '../http/errors.ts'
import { limited } from '../http/limited.ts'
import { body, idParam, query } from '../http/validate.ts'
import { linkItems } from '../queries/bulk-links.ts'
import { findPost, listPosts } from '../queries/posts.ts'
import { removeItems } from '../queries/removal.ts'
import { copyPost } from '../services/copy-item.ts'
import { editBulk, removeBulk } from '../services/edit-bulk.ts'
import { createPost, editPost, replacePost } from '../services/write-post.ts'

const NOT_FOUND = msg`The post was not found`

export const posts = new Hono<AppEnv>()
  .get('/', signedInOrGuest, query(ListQuery), async (c) => {
    const request = { query: c.req.valid('query'), known: c.req.header('if-none-match') }
    return sendPage(c, 'posts', await listPosts(c.var.db, c.var.user.id, request))
  })
  .post('/', signedIn, checks('item.add'), body(NewPost), async (c) => {
    const input = c.req.valid('json')
    requireCollection(c.var, input.collectionIds)
    const { made, post } = await createPost(c.var, input)
    return c.json({ success: true, post }, made ? 201 : 200)
  })
  .get('/:id', signedInOrGuest, query(getPost.query), async (c) => {
    const post = await findPost(c.var.db, c.var.user.id, idParam(c.req.param('id'), say(NOT_FOUND)), c.req.valid('query').collection_id)
    if (!post) throw notFound(say(NOT_FOUND))
    return c.json({ success: true, post })
  })
  .patch('/:id', signedIn, checks('item.edit', 'item.add', 'item.link'), body(PostEdit), async (c) => {
    const change = { id: idParam(c.req.param('id'), say(NOT_FOUND)), version: expectedVersion(c.req.header('if-match')) }
    return c.json({ success: true, ...(await editPost(c.var, change, c.req.valid('json'))) })
  })
  .put('/:id', signedIn, checks('item.edit', 'item.add', 'item.link'), body(PostReplacement), async (c) => {
    const change = { id: idParam(c.req.param('id'), say(NOT_FOUND)), version: expectedVersion(c.req.header('if-match')) }
    return c.json({ success: true, ...(await replacePost(c.var, change, c.req.valid('json'))) })
  })
  .delete('/:id', signedIn, checks('item.remove'), async (c) => {
    const call = { kind: 'post', ids: [idParam(c.req.param('id'), say(NOT_FOUND))], action: 'trash' } as const
    const { changeId, stillIn } = await removeBulk(c.var, call, removeItems)
    return c.json({ success: true, changeId, stillIn })
  })
  .post('/:id/copy', signedIn, checks('item.add', 'item.remove'), body(CopyBody), limited('upload', 'uploadsOfDay'), async (c) => {
    const id = idParam(c.req.param('id'), say(NOT_FOUND))
    const post = await copyPost({ ...c.var, bucket: c.env.FILES }, id, c.req.valid('json').collectionIds ?? [])
    return c.json({ success: true, post }, 201)
  })
  .post('/:id/collections', signedIn, checks('item.link'), body(linkPost.body), async (c) => {
    const id = idParam(c.req.param('id'), say(NOT_FOUND))
    const { collectionIds } = c.req.valid('json')
    const { changeId } = await editBulk(c.var, { kind: 'post', ids: [id], action: 'link' }, (db, call) =>
      linkItems(db, call, collectionIds),
    )
    return c.json({ success: true, post: await findPost(c.var.db, c.var.user.id, id), changeId })
  })
