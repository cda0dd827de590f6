import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { say } from '#language'
import { t } from '#say'
import { type Asset, AssetEdit, getAsset as assetEndpoint, linkAsset as linkEndpoint, NewAsset } from '../../contract/assets.ts'
import { createAssets } from '../../contract/batch-uploads.ts'
import { newId } from '../../contract/ids.ts'
import { isGuestUser } from '../../contract/links.ts'
import { CopyBody, ListQuery } from '../../contract/paging.ts'
import { recordFound as foundEndpoint, listUnread as unreadEndpoint } from '../../contract/unread.ts'
import { type ChecksEnv, checks } from '../auth/checks.ts'
import { signedIn } from '../auth/guard.ts'
import { signedInOrGuest, signedInOrOwning, signedInOrUploading } from '../auth/guest.ts'
import { requireCollection } from '../auth/personal-token.ts'
import { signedInOrSignedUrl } from '../auth/signed-url.ts'
import type { AppEnv } from '../context.ts'
import type { Env } from '../env.ts'
import { expectedVersion, NOT_YOURS_TO_CHANGE, unknownIds } from '../http/access.ts'
import { sendPage } from '../http/answer.ts'
import { AppError, forbidden, notFound } from '../http/errors.ts'
import { attemptLimit, limited } from '../http/limited.ts'
import { isForm } from '../http/read-form.ts'
import { assetParam, body, query } from '../http/validate.ts'
import { fileResponse, renditionResponse } from '../media/file-response.ts'
import { type AssetWrite, findAsset, findFile, listAssets, replaceAsset } from '../queries/assets.ts'
import { linkItems } from '../queries/bulk-links.ts'
import { listUnread } from '../queries/metadata.ts'
import { pictureAccess } from '../queries/picture-access.ts'
import { copyAsset } from '../services/copy-item.ts'
import { editBulk } from '../services/edit-bulk.ts'
import { groupShots, hasSiblings } from '../services/group-shots.ts'
import { requireOriginal } from '../services/links/require-original.ts'
import { recordFound } from '../services/record-found.ts'
import { beginUpload, beginUploads } from '../services/uploads/begin-upload.ts'
import { discardAsset } from '../services/uploads/discard-asset.ts'
import { finishUpload } from '../services/uploads/finish-upload.ts'
import { openUpload, receivePart } from '../services/uploads/receive-part.ts'
import { receiveRendition, renditionName } from '../services/uploads/receive-rendition.ts'
import { receiveWhole } from '../services/uploads/receive-whole.ts'
import { readUploadForm } from '../services/uploads/upload-form.ts'

export const UPLOAD_LIMITS = ['upload', 'uploadsOfDay'] as const

/** Answers a form, which has the whole file. Passes on anything else. */
const uploadForm = createMiddleware<ChecksEnv<'item.add'>>(async (c, next) => {
  if (!isForm(c.req.raw)) return next()
  const file = await readUploadForm(c.req.raw)
  file.asset = destined(c.var.user, file.asset)
  // Admins accept what they see, so the pictures of guests' files are made of these alone.
  if (isGuestUser(c.var.user.id)) file.renditions = {}
  requireCollection(c.var, file.asset.collectionIds)
  const caller = { ...withBucket(c), images: c.env.IMAGES }
  const { made, received } = await receiveWhole(caller, file, await attemptLimit(c, ...UPLOAD_LIMITS))
  groupLater(c, received.asset)
  return c.json({ success: true, ...received }, made ? 201 : 200)
})

/** The triggers know where a guest's file goes: into the collection of the link. Guests choose one name, which is marked as theirs (`displayNameOf`). */
function destined(user: { id: string }, asset: NewAsset): NewAsset {
  if (!isGuestUser(user.id)) return asset
  const { collectionIds: _, originalAuthor: __, ...own } = asset
  return own
}

/** Groups an arrived file with others of its shot after the answer, if there are likely to be any. The minute's task groups the rest. */
export function groupLater(c: { env: Env; executionCtx: Pick<ExecutionContext, 'waitUntil'> }, asset: Asset): void {
  if (asset.status === 'ready' && hasSiblings(asset)) c.executionCtx.waitUntil(groupShots(c.env, asset.id).catch(() => undefined))
}

const withBucket = <V>(c: { var: V; env: Env }) => ({ ...c.var, bucket: c.env.FILES })

export const assets = new Hono<AppEnv>()
  .get('/', signedInOrGuest, query(ListQuery), async (c) => {
    const known = c.req.header('if-none-match')
    return sendPage(c, 'assets', await listAssets(c.var.db, c.var.user.id, { query: c.req.valid('query'), known }))
  })

  .post('/', signedInOrUploading, checks('item.add'), uploadForm, body(NewAsset), async (c) => {
    const input = destined(c.var.user, c.req.valid('json'))
    requireCollection(c.var, input.collectionIds)
    const { made, begun } = await beginUpload(c.var, input, await attemptLimit(c, ...UPLOAD_LIMITS))
    return c.json({ success: true, ...begun }, made ? 201 : 200)
  })

  .post('/batch', signedIn, checks('item.add'), body(createAssets.body), async (c) => {
    const inputs = c.req.valid('json').assets
    for (const { collectionIds } of inputs) requireCollection(c.var, collectionIds)
    return c.json({ success: true, results: await beginUploads(c.var, inputs, await attemptLimit(c, ...UPLOAD_LIMITS)) })
  })

  .get('/unread', signedIn, checks('item.edit'), query(unreadEndpoint.query), async (c) => {
    return c.json({ success: true, assets: await listUnread(c.var, c.req.valid('query').after) })
  })

  .get('/:id', signedInOrGuest, query(assetEndpoint.query), async (c) => {
    const asset = await findAsset(c.var.db, c.var.user.id, assetParam(c), c.req.valid('query').collection_id)
    if (!asset) throw notFound(t`The asset was not found`)
    return c.json({ success: true, asset })
  })

  .put('/:id', signedInOrOwning, checks('item.edit'), body(AssetEdit), async (c) => {
    const version = expectedVersion(c.req.header('if-match')) ?? undefined
    const changeId = newId()
    const written = await replaceAsset(c.var, { id: assetParam(c), edit: c.req.valid('json'), version, changeId })
    const asset = writtenAsset(written, {
      forbidden: say(NOT_YOURS_TO_CHANGE),
      foreign: [(ids) => t`People of its collections not found: ${ids}`, 'peopleIds'],
    })
    return c.json({ success: true, asset, changeId })
  })

  .delete('/:id', signedInOrOwning, checks('item.remove'), async (c) => {
    return c.json({ success: true, ...(await discardAsset(withBucket(c), assetParam(c))) })
  })

  .post('/:id/copy', signedIn, checks('item.add', 'item.remove'), body(CopyBody), limited(...UPLOAD_LIMITS), async (c) => {
    const { made, asset } = await copyAsset(withBucket(c), assetParam(c), c.req.valid('json').collectionIds ?? [])
    return c.json({ success: true, asset }, made ? 201 : 200)
  })

  .post('/:id/collections', signedIn, checks('item.link'), body(linkEndpoint.body), async (c) => {
    const id = assetParam(c)
    const { collectionIds } = c.req.valid('json')
    const { changeId } = await editBulk(c.var, { kind: 'asset', ids: [id], action: 'link' }, (db, call) =>
      linkItems(db, call, collectionIds),
    )
    return c.json({ success: true, asset: await findAsset(c.var.db, c.var.user.id, id), changeId })
  })

  .put('/:id/parts/:part', signedInOrUploading, checks('item.add'), async (c) => {
    const part = await receivePart(withBucket(c), { id: assetParam(c), n: c.req.param('part') }, c.req.raw)
    return c.json({ success: true, part })
  })

  .get('/:id/upload', signedInOrUploading, checks('item.add'), async (c) => {
    const { partSize, parts, received } = await openUpload(c.var, assetParam(c))
    return c.json({ success: true, partSize, parts, received: Object.keys(received).map(Number) })
  })

  .put('/:id/renditions/:rendition', signedIn, checks('item.add', 'item.edit'), async (c) => {
    await receiveRendition(
      { ...withBucket(c), images: c.env.IMAGES },
      { id: assetParam(c), name: renditionName(c.req.param('rendition')) },
      c.req.raw,
    )
    return c.json({ success: true })
  })

  .post('/:id/complete', signedInOrUploading, checks('item.add'), async (c) => {
    const finished = await finishUpload(withBucket(c), assetParam(c))
    groupLater(c, finished.asset)
    return c.json({ success: true, ...finished })
  })

  .post('/:id/metadata', signedIn, checks('item.add', 'item.edit'), body(foundEndpoint.body), async (c) => {
    await recordFound(withBucket(c), assetParam(c), c.req.valid('json'))
    return c.json({ success: true })
  })

  .get('/:id/file', signedInOrSignedUrl, async (c) => {
    const file = await findFile(c.var.db, c.var.user.id, assetParam(c))
    if (!file) throw notFound(t`The file was not found`)
    if (isGuestUser(c.var.user.id)) await requireOriginal(c.var.db, file, c.req.query('download') !== undefined)
    return fileResponse(c.env.FILES, file, c.req.raw)
  })

  .get('/:id/renditions/:rendition', signedInOrSignedUrl, async (c) => {
    const name = renditionName(c.req.param('rendition'))
    const file = await pictureAccess.find(c.var, assetParam(c), c.req.query('v'))
    if (!file) throw notFound(t`The file was not found`)
    return renditionResponse(c.env.FILES, file, name, c.req.raw)
  })

/** The row after a write. Throws the refusal with the words of the route. */
function writtenAsset(
  { outcome, foreign, asset }: AssetWrite,
  words: { forbidden: string; foreign: [sentence: (ids: string) => string, field: string] },
) {
  if (outcome === 'forbidden') throw forbidden(words.forbidden)
  if (outcome === 'foreign') throw unknownIds(...words.foreign, foreign)
  if (outcome === 'missing' || !asset) throw notFound(t`The asset was not found`)
  if (outcome === 'conflict')
    throw new AppError('conflict', t`Somebody changed this meanwhile. Look at their version first`, { detail: { asset } })
  return asset
}
