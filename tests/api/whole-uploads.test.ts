import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { completeUpload } from '../../contract/assets.ts'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import { begin, declared, jpegLike, noise, sendParts, sendWhole, sha256, upload } from '../support/files.ts'
import { objectBytes, objectsOf } from '../support/storage.ts'
import { scriptOf } from '../support/tokens.ts'
import { type World, world } from '../support/world.ts'

const picture = (width: number, type: 'webp' | 'jpeg' | 'png' = 'webp') =>
  sharp({ create: { width, height: width, channels: 3, background: 'teal' } })
    .toFormat(type)
    .toBuffer()

/** A form from parts as they are on the wire. */
function formOf(parts: [name: string, value: string | Blob][]): FormData {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  return form
}

const rowsOf = (w: World) => w.sql`select id from assets where user_id = ${w.as('ada').id}`

test('A file sent whole with its renditions is at once visible to others and published once', async () => {
  const w = await world({ bob: 'read' })
  const [bytes, thumb, preview] = [jpegLike(), await picture(20), await picture(40, 'jpeg')]
  const asset = declared(bytes, { id: newId(), alt: 'A gate', thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI', collectionIds: [w.collection.id] })
  const sent = await sendWhole(w.as('ada'), bytes, { asset, thumb, preview })
  expect(sent.status).toBe(201)
  const received = completeUpload.response.parse(sent.body).asset
  expect(received).toMatchObject({ id: asset.id, status: 'ready', name: 'photo.jpg', alt: 'A gate', renditions: ['thumb', 'preview'] })
  expect(await w.changes()).toMatchObject([{ table_name: 'asset_collections', event: 'INSERT', ids: [asset.id] }])

  const seen = (await w.as('bob').get(`/api/asset/${asset.id}`)).body.asset
  expect(seen).toEqual(received)
  expect((await w.as('bob').get(`/api/asset/${asset.id}/file`)).bytes).toEqual(bytes)
  const shown = await w.as('bob').get(`/api/asset/${asset.id}/renditions/thumb?v=${seen.file_version}`)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect(await w.sql`select from missing_renditions where asset_id = ${asset.id}`).toEqual([])
})

test('What the form leaves out is taken from the file', async () => {
  const w = await world()
  const bytes = jpegLike()
  const { status, body } = await sendWhole(w.as('ada'), bytes)
  expect(status).toBe(201)
  expect(body.asset).toMatchObject({ name: 'lake.jpg', type: 'image/jpeg', size: bytes.length, checksum: sha256(bytes), status: 'ready' })
})

test('A file of exactly one part is accepted', async () => {
  const w = await world()
  expect((await sendWhole(w.as('ada'), noise(LIMITS.partSize))).status).toBe(201)
})

test('A photo without renditions gets them from the server', async () => {
  const w = await world()
  const bytes = new Uint8Array(await picture(30, 'jpeg'))
  const { body } = await sendWhole(w.as('ada'), bytes, { asset: { width: 30, height: 30 } })
  expect(body.asset).toMatchObject({ width: 30, height: 30, renditions: [] })
  expect(await w.sql`select from missing_renditions where asset_id = ${body.asset.id}`).toHaveLength(1)
})

test('A repeated call returns the same asset and stores nothing', async () => {
  const w = await world()
  const bytes = jpegLike()
  const asset = { id: newId() }
  const first = await sendWhole(w.as('ada'), bytes, { asset })
  const again = await sendWhole(w.as('ada'), bytes, { asset, thumb: await picture(20) })
  expect([first.status, again.status]).toEqual([201, 200])
  expect(again.body).toEqual(first.body)
  expect(await objectsOf(asset.id)).toEqual([`assets/${asset.id}/original`])
  // Another file with this id is not taken for it.
  expect((await sendWhole(w.as('ada'), jpegLike(), { asset })).status).toBe(409)
})

test('The same call twice at once makes one asset', async () => {
  const w = await world({ bob: 'read' })
  const bytes = jpegLike()
  const asset = { id: newId(), collectionIds: [w.collection.id] }
  const send = () => sendWhole(w.as('ada'), bytes, { asset })
  const answers = await Promise.all([send(), send(), send()])
  for (const { status, body } of answers) expect([status < 300, body.asset?.id]).toEqual([true, asset.id])
  expect(await rowsOf(w)).toHaveLength(1)
  expect((await w.as('bob').get(`/api/asset/${asset.id}/file`)).bytes).toEqual(bytes)
})

test('The id of another user’s asset is refused, and their file stays', async () => {
  const w = await world({ bob: 'write' })
  const bytes = jpegLike()
  const { id } = await upload(w.as('bob'), bytes)
  const unfinished = await begin(w.as('bob'), jpegLike())
  for (const taken of [id, unfinished.id]) {
    const refused = await sendWhole(w.as('ada'), jpegLike(), { asset: { id: taken }, thumb: await picture(20) })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
  }
  expect((await w.as('bob').get(`/api/asset/${id}/file`)).bytes).toEqual(bytes)
  expect(await objectsOf(unfinished.id)).toEqual([])
})

test('An upload begun in another way goes on in one request, but only with its own file', async () => {
  const w = await world()
  const bytes = jpegLike()
  const { id } = await begin(w.as('ada'), bytes, { collectionIds: [w.collection.id] })
  expect((await sendWhole(w.as('ada'), jpegLike(), { asset: { id } })).status).toBe(409)
  await sendParts(w.as('ada'), id, bytes)
  const { status, body } = await sendWhole(w.as('ada'), bytes, { asset: { id } })
  expect([status, body.asset.status]).toEqual([201, 'ready'])
  expect(body.asset.collections).toMatchObject([{ collection_id: w.collection.id }])
})

test('A file that is larger than its upload was begun with is refused, so that quotas hold', async () => {
  const w = await world()
  const bytes = jpegLike()
  const { body } = await w.as('ada').post('/api/asset', declared(bytes, { size: 1 }))
  expect((await sendWhole(w.as('ada'), bytes, { asset: { id: body.asset.id } })).status).toBe(409)
  expect(await objectsOf(body.asset.id)).toEqual([])
})

test('The user’s own existing file is linked instead of stored', async () => {
  const w = await world()
  const bytes = jpegLike()
  const { id } = await upload(w.as('ada'), bytes)
  const other = newId()
  const sent = await sendWhole(w.as('ada'), bytes, { asset: { id: other, collectionIds: [w.collection.id] } })
  expect([sent.status, sent.body.duplicate, sent.body.asset.id, sent.body.linked]).toEqual([200, true, id, [w.collection.id]])
  expect(await objectsOf(other)).toEqual([])
})

test('A file sent twice at once with different ids becomes one asset in both collections', async () => {
  const w = await world()
  const second = (await w.as('ada').post('/api/collections', { name: 'Second' })).body.collection.id
  const bytes = jpegLike()
  const sent = await Promise.all(
    [w.collection.id, second].map((collection) => sendWhole(w.as('ada'), bytes, { asset: { id: newId(), collectionIds: [collection] } })),
  )
  const ids = new Set(sent.map(({ body }) => body.asset.id))
  expect(ids.size).toBe(1)
  const [id] = ids
  const { collections } = (await w.as('ada').get(`/api/asset/${id}`)).body.asset
  expect(collections.map(({ collection_id }: { collection_id: string }) => collection_id).toSorted()).toEqual(
    [w.collection.id, second].toSorted(),
  )
})

const small = new Uint8Array([1, 2, 3])
const REFUSED: [what: string, status: number, field: string | null, form: (w: World) => Promise<FormData> | FormData][] = [
  ['no file', 400, 'file', () => formOf([['asset', '{}']])],
  ['a text in place of the file', 400, 'file', () => formOf([['file', 'text']])],
  ['an empty file', 400, 'size', () => formOf([['file', new File([], 'a.jpg')]])],
  ['a file larger than a part', 413, null, () => formOf([['file', new File([new Uint8Array(LIMITS.partSize + 1)], 'a.jpg')]])],
  [
    'an unknown field',
    400,
    'cover',
    () =>
      formOf([
        ['cover', 'x'],
        ['file', new File([small], 'a.jpg')],
      ]),
  ],
  [
    'two files',
    400,
    'file',
    () =>
      formOf([
        ['file', new File([small], 'a.jpg')],
        ['file', new File([small], 'b.jpg')],
      ]),
  ],
  [
    'a broken description',
    400,
    null,
    () =>
      formOf([
        ['asset', '{'],
        ['file', new File([small], 'a.jpg')],
      ]),
  ],
  [
    'a description larger than JSON may be',
    413,
    null,
    () =>
      formOf([
        ['asset', `{"name":"${'x'.repeat(LIMITS.jsonBody)}"}`],
        ['file', new File([small], 'a.jpg')],
      ]),
  ],
  [
    'an unknown property',
    400,
    'owner',
    () =>
      formOf([
        ['asset', '{"owner":"x"}'],
        ['file', new File([small], 'a.jpg')],
      ]),
  ],
  [
    'an empty name',
    400,
    'name',
    () =>
      formOf([
        ['asset', '{"name":""}'],
        ['file', new File([small], 'a.jpg')],
      ]),
  ],
  [
    'another size',
    400,
    'size',
    () =>
      formOf([
        ['asset', '{"size":4}'],
        ['file', new File([small], 'a.jpg')],
      ]),
  ],
  [
    'another checksum',
    400,
    'checksum',
    () =>
      formOf([
        ['asset', `{"checksum":"${sha256(noise(3))}"}`],
        ['file', new File([small], 'a.jpg')],
      ]),
  ],
  [
    'a rendition that is no picture',
    415,
    null,
    () =>
      formOf([
        ['thumb', new Blob(['text'])],
        ['file', new File([small], 'a.jpg')],
      ]),
  ],
  [
    'a rendition with too many pixels',
    400,
    null,
    async () =>
      formOf([
        ['thumb', new Blob([new Uint8Array(await picture(600))])],
        ['file', new File([small], 'a.jpg')],
      ]),
  ],
  [
    'a rendition of too many bytes',
    413,
    null,
    () =>
      formOf([
        ['preview', new Blob([new Uint8Array(LIMITS.renditionSize + 1)])],
        ['file', new File([small], 'a.jpg')],
      ]),
  ],
  [
    'a collection that is not there',
    404,
    'collectionIds',
    () =>
      formOf([
        ['asset', `{"collectionIds":["${newId()}"]}`],
        ['file', new File([small], 'a.jpg')],
      ]),
  ],
]

describe('a form that is refused', () => {
  test.each(REFUSED)('%s gets %i and leaves nothing', async (_what, status, field, form) => {
    const w = await world()
    const refused = await w.as('ada').post('/api/asset', await form(w))
    expect([refused.status, refused.body.success], JSON.stringify(refused.body)).toEqual([status, false])
    if (field) expect(Object.keys(refused.body.error.fields ?? {})).toContain(field)
    expect(await rowsOf(w)).toEqual([])
  })

  test.each([
    ['nothing', new Uint8Array()],
    ['no boundary in the body', new TextEncoder().encode('hello')],
    ['a part that breaks off', new TextEncoder().encode('--x\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nabc')],
  ])('%s as a body gets 400', async (_what, bytes) => {
    const w = await world()
    const { status, body } = await w.as('ada').post('/api/asset', bytes, { type: 'multipart/form-data; boundary=x' })
    expect([status, body.error.code]).toEqual([400, 'invalid'])
    expect(await rowsOf(w)).toEqual([])
  })

  test('Readers get 403, strangers 404, and nobody signed in 401', async () => {
    const w = await world({ bob: 'read', eve: null })
    const asset = { collectionIds: [w.collection.id] }
    for (const [who, status] of [
      ['bob', 403],
      ['eve', 404],
    ] as const)
      expect((await sendWhole(w.as(who), jpegLike(), { asset })).status).toBe(status)
    const id = newId()
    expect((await sendWhole(w.anonymous, jpegLike(), { asset: { id } })).status).toBe(401)
    expect(await objectsOf(id)).toEqual([])
  })

  test('A full account gets 413 and nothing is stored', async () => {
    const w = await world()
    await w.sql`insert into quotas (owner, bytes, items) values (${w.as('ada').id}, 10, 10)`
    const id = newId()
    const refused = await sendWhole(w.as('ada'), jpegLike(), { asset: { id } })
    expect([refused.status, refused.body.error.code]).toEqual([413, 'quota_exceeded'])
    expect(await objectsOf(id)).toEqual([])
    expect(await rowsOf(w)).toEqual([])
  })
})

test('A member who was removed cannot finish an upload in one request', async () => {
  const w = await world({ bob: 'write' })
  const bytes = jpegLike()
  const { id } = await begin(w.as('bob'), bytes, { collectionIds: [w.collection.id] })
  await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('bob').id}`)
  expect((await sendWhole(w.as('bob'), bytes, { asset: { id } })).status).toBe(403)
  expect(await objectBytes(`assets/${id}/original`)).toBeNull()
})

test('A script sends a file with an access token, and one for a collection only into that collection', async () => {
  const w = await world()
  const second = (await w.as('ada').post('/api/collections', { name: 'Second' })).body.collection.id
  const script = await scriptOf(w.as('ada'), 'write', w.collection.id)
  const statuses = []
  for (const collectionIds of [[w.collection.id], [second], undefined])
    statuses.push((await sendWhole(script, jpegLike(), { asset: collectionIds && { collectionIds } })).status)
  expect(statuses).toEqual([201, 404, 403])
  expect((await sendWhole(await scriptOf(w.as('ada'), 'read'), jpegLike())).status).toBe(403)
  expect(await rowsOf(w)).toHaveLength(1)
})
