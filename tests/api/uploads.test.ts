import { describe, expect, test } from 'vitest'
import { completeUpload, createAsset, getUpload } from '../../contract/assets.ts'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import { begin, declared, jpegLike, MIB, noise, partsOf, sendPart, sendParts, sha256, upload } from '../support/files.ts'
import { deleteObject, objectBytes, objectsOf } from '../support/storage.ts'
import { world } from '../support/world.ts'

describe('an upload of one part', () => {
  test('A completed upload is visible to others in its collection and published once', async () => {
    const w = await world({ bob: 'read' })
    const bytes = jpegLike()
    const started = await w.as('ada').post('/api/asset', declared(bytes, { collectionIds: [w.collection.id], alt: 'A gate' }))
    expect(started.status).toBe(201)
    const { asset, upload } = createAsset.response.parse(started.body)
    expect(upload).toEqual({ partSize: LIMITS.partSize, parts: 1 })
    expect(asset).toMatchObject({ status: 'uploading', user_id: w.as('ada').id, user_name: 'Ada Test', alt: 'A gate', renditions: [] })
    expect(asset.collections).toMatchObject([{ collection_id: w.collection.id, user_id: w.as('ada').id }])

    expect((await w.as('bob').get(`/api/asset/${asset.id}`)).status).toBe(404)
    expect((await sendPart(w.as('ada'), asset.id, 1, bytes)).body).toEqual({ success: true, part: 1 })
    expect(await w.changes()).toEqual([])

    const completed = await w.as('ada').post(`/api/asset/${asset.id}/complete`)
    expect(completed.status).toBe(200)
    expect(completeUpload.response.parse(completed.body).asset).toMatchObject({ id: asset.id, status: 'ready', type: 'image/jpeg' })
    expect(await w.changes()).toMatchObject([{ table_name: 'asset_collections', event: 'INSERT', ids: [asset.id] }])
    expect((await w.as('bob').get(`/api/asset/${asset.id}`)).body.asset.status).toBe('ready')
    expect(sha256((await objectBytes(`assets/${asset.id}/original`)) ?? new Uint8Array())).toBe(sha256(bytes))
  })

  test('Completing an upload twice, even concurrently, gets the same answer', async () => {
    const w = await world()
    const bytes = jpegLike()
    const { id } = await begin(w.as('ada'), bytes)
    await sendParts(w.as('ada'), id, bytes)
    const complete = () => w.as('ada').post(`/api/asset/${id}/complete`)
    const answers = [...(await Promise.all([complete(), complete(), complete()])), await complete()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body)
  })

  test('A part after completion is refused and changes nothing', async () => {
    const w = await world()
    const bytes = jpegLike()
    const asset = await upload(w.as('ada'), bytes)
    const late = await sendPart(w.as('ada'), asset.id, 1, jpegLike())
    expect(late.status).toBe(409)
    expect((await w.as('ada').get(`/api/asset/${asset.id}/upload`)).status).toBe(409)
    expect((await w.as('ada').get(`/api/asset/${asset.id}/file`)).bytes).toEqual(bytes)
  })

  test('Bytes other than declared are refused on completion, leave nothing, and can be sent again', async () => {
    const w = await world({ bob: 'read' })
    const bytes = jpegLike()
    const { id } = await begin(w.as('ada'), bytes, { collectionIds: [w.collection.id] })
    expect((await sendPart(w.as('ada'), id, 1, jpegLike())).status).toBe(200)
    const refused = await w.as('ada').post(`/api/asset/${id}/complete`)
    expect(refused.status).toBe(400)
    expect(refused.body.error).toMatchObject({ code: 'invalid', fields: { checksum: expect.any(String) } })
    expect(await objectsOf(id)).toEqual([])
    expect((await w.as('ada').get(`/api/asset/${id}`)).body.asset.status).toBe('uploading')
    expect((await w.as('ada').get(`/api/asset/${id}/upload`)).body.received).toEqual([])
    expect(await w.changes()).toEqual([])

    await sendParts(w.as('ada'), id, bytes)
    expect((await w.as('ada').post(`/api/asset/${id}/complete`)).body.asset.status).toBe('ready')
  })

  test('An upload whose object is gone from storage is not made ready', async () => {
    const w = await world()
    const bytes = jpegLike()
    const { id } = await begin(w.as('ada'), bytes)
    await sendParts(w.as('ada'), id, bytes)
    await deleteObject(`assets/${id}/original`)
    expect((await w.as('ada').post(`/api/asset/${id}/complete`)).status).toBe(400)
    expect((await w.as('ada').get(`/api/asset/${id}`)).body.asset.status).toBe('uploading')
  })
})

describe('an upload of several parts', () => {
  test('An upload resumes where it stopped, in any order, and is stored completely', async () => {
    const w = await world()
    const bytes = noise(20 * MIB)
    const [first, second, third] = partsOf(bytes) as [Uint8Array, Uint8Array, Uint8Array]
    const { id } = await begin(w.as('ada'), bytes, { name: 'film.bin', type: 'application/octet-stream' })
    await sendPart(w.as('ada'), id, 3, third)
    await sendPart(w.as('ada'), id, 1, noise(LIMITS.partSize))
    const state = getUpload.response.parse((await w.as('ada').get(`/api/asset/${id}/upload`)).body)
    expect(state).toEqual({ success: true, partSize: LIMITS.partSize, parts: 3, received: [1, 3] })

    const early = await w.as('ada').post(`/api/asset/${id}/complete`)
    expect(early.status).toBe(400)
    expect(early.body.error).toMatchObject({ message: 'Still to be sent: part 2', fields: { parts: 'Still to be sent: part 2' } })

    const again = await Promise.all([sendPart(w.as('ada'), id, 1, first), sendPart(w.as('ada'), id, 2, second)])
    expect(again.map(({ status }) => status)).toEqual([200, 200])
    const complete = () => w.as('ada').post(`/api/asset/${id}/complete`)
    expect((await Promise.all([complete(), complete()])).map(({ status }) => status)).toEqual([200, 200])
    expect((await complete()).body.asset).toMatchObject({ status: 'ready', size: bytes.length })
    expect(sha256((await objectBytes(`assets/${id}/original`)) ?? new Uint8Array())).toBe(sha256(bytes))
  })

  test('Concurrent first parts share one storage upload', async () => {
    const w = await world()
    const bytes = noise(17 * MIB)
    const { id } = await begin(w.as('ada'), bytes)
    const sent = await Promise.all(partsOf(bytes).map((part, i) => sendPart(w.as('ada'), id, i + 1, part)))
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await w.as('ada').post(`/api/asset/${id}/complete`)).status).toBe(200)
  })

  test('Bytes other than declared leave no object, and all parts can be sent again', async () => {
    const w = await world()
    const bytes = noise(9 * MIB)
    const { id } = await begin(w.as('ada'), bytes)
    await sendParts(w.as('ada'), id, noise(9 * MIB))
    expect((await w.as('ada').post(`/api/asset/${id}/complete`)).status).toBe(400)
    expect(await objectsOf(id)).toEqual([])
    expect((await w.as('ada').get(`/api/asset/${id}/upload`)).body.received).toEqual([])
    await sendParts(w.as('ada'), id, bytes)
    expect((await w.as('ada').post(`/api/asset/${id}/complete`)).body.asset.status).toBe('ready')
  })
})

describe('a part of an upload', () => {
  test.each(['0', '-1', '3', '10001', '1.5', 'one', '01'])('The part number %s of 2 is refused', async (n) => {
    const w = await world()
    const { id } = await begin(w.as('ada'), noise(9 * MIB))
    const answer = await sendPart(w.as('ada'), id, n, noise(10))
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toBe('Parts are numbered from 1 to 2')
  })

  test.each([
    ['shorter than a part', 1, LIMITS.partSize - 1],
    ['longer than a part', 1, LIMITS.partSize + 1],
    ['longer than the rest', 2, MIB + 1],
    ['shorter than the rest', 2, 1],
    ['empty', 2, 0],
  ])('A part that is %s is refused', async (_, n, size) => {
    const w = await world()
    const { id } = await begin(w.as('ada'), noise(9 * MIB))
    expect((await sendPart(w.as('ada'), id, n, noise(size))).status).toBe(400)
    expect((await w.as('ada').get(`/api/asset/${id}/upload`)).body.received).toEqual([])
  })

  test('A part of another user’s upload is not found, even by a member', async () => {
    const w = await world({ bob: 'admin', eve: null })
    const bytes = jpegLike()
    const { id } = await begin(w.as('ada'), bytes, { collectionIds: [w.collection.id] })
    for (const name of ['bob', 'eve']) {
      expect((await sendPart(w.as(name), id, 1, bytes)).status).toBe(404)
      expect((await w.as(name).get(`/api/asset/${id}/upload`)).status).toBe(404)
      expect((await w.as(name).post(`/api/asset/${id}/complete`)).status).toBe(404)
    }
    expect((await w.anonymous.put(`/api/asset/${id}/parts/1`, bytes)).status).toBe(401)
    expect(await objectsOf(id)).toEqual([])
  })

  test('A removed member’s part and completion are refused', async () => {
    const w = await world({ bob: 'write' })
    const bytes = noise(9 * MIB)
    const [first, second] = partsOf(bytes) as [Uint8Array, Uint8Array]
    const { id } = await begin(w.as('bob'), bytes, { collectionIds: [w.collection.id] })
    expect((await sendPart(w.as('bob'), id, 1, first)).status).toBe(200)
    await w.sql`delete from members where collection_id = ${w.collection.id} and user_id = ${w.as('bob').id}`
    expect((await sendPart(w.as('bob'), id, 2, second)).status).toBe(403)
    expect((await w.as('bob').post(`/api/asset/${id}/complete`)).status).toBe(403)
    expect((await w.changes()).filter(({ table_name }) => table_name === 'asset_collections')).toEqual([])
  })
})

test('An upload to two collections arrives only in the one its author is still a member of', async () => {
  const w = await world({ bob: 'write' })
  const other = (await w.as('bob').post('/api/collections', { name: 'Own' })).body.collection
  const bytes = jpegLike()
  const { id } = await begin(w.as('bob'), bytes, { collectionIds: [w.collection.id, other.id] })
  await w.sql`update members set role = 'read' where collection_id = ${w.collection.id} and user_id = ${w.as('bob').id}`
  await sendParts(w.as('bob'), id, bytes)
  const { body } = await w.as('bob').post(`/api/asset/${id}/complete`)
  expect(body.asset.collections).toMatchObject([{ collection_id: other.id }])
  expect((await w.as('ada').get(`/api/asset/${id}`)).status).toBe(404)
  expect((await w.changes()).filter(({ event }) => event === 'INSERT')).toEqual([])
})

describe('a file that already exists', () => {
  test('The user’s own existing file is linked instead of uploaded', async () => {
    const w = await world({ bob: 'write' })
    const bytes = jpegLike()
    const asset = await upload(w.as('bob'), bytes)
    const again = await w.as('bob').post('/api/asset', declared(bytes, { name: 'copy.jpg', collectionIds: [w.collection.id] }))
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({ duplicate: true, asset: { id: asset.id, name: 'photo.jpg', status: 'ready' } })
    expect(again.body.asset.collections).toMatchObject([{ collection_id: w.collection.id }])
    expect(again.body.upload).toBeUndefined()
  })

  test('An existing file is reported as new only in collections that did not have it', async () => {
    const w = await world({ bob: 'write' })
    const bytes = jpegLike()
    await upload(w.as('bob'), bytes)
    const beginAgain = () => w.as('bob').post('/api/asset', declared(bytes, { collectionIds: [w.collection.id] }))
    expect((await beginAgain()).body).toMatchObject({ duplicate: true, linked: [w.collection.id] })
    expect((await beginAgain()).body).toMatchObject({ duplicate: true, linked: [] })
  })

  test('Another user’s file is uploaded again, so that an upload does not reveal whether the bytes exist', async () => {
    const w = await world({ bob: 'write' })
    const bytes = jpegLike()
    await upload(w.as('ada'), bytes)
    const own = await w.as('bob').post('/api/asset', declared(bytes))
    expect(own.status).toBe(201)
    expect(own.body.duplicate).toBeUndefined()
  })

  test('A file uploaded twice concurrently becomes one asset in all collections', async () => {
    const w = await world({ bob: 'write' })
    const other = (await w.as('bob').post('/api/collections', { name: 'Own' })).body.collection
    const bytes = jpegLike()
    const a = await begin(w.as('bob'), bytes, { collectionIds: [w.collection.id] })
    const b = await begin(w.as('bob'), bytes, { collectionIds: [other.id] })
    await Promise.all([sendParts(w.as('bob'), a.id, bytes), sendParts(w.as('bob'), b.id, bytes)])
    const [doneA, doneB] = await Promise.all([a, b].map(({ id }) => w.as('bob').post(`/api/asset/${id}/complete`)))
    expect([doneA?.status, doneB?.status]).toEqual([200, 200])
    expect(doneA?.body.asset.id).toBe(doneB?.body.asset.id)
    expect([doneA?.body.duplicate, doneB?.body.duplicate].filter(Boolean)).toEqual([true])
    const [kept, dropped] = doneA?.body.duplicate ? [b, a] : [a, b]
    const asset = (await w.as('bob').get(`/api/asset/${kept.id}`)).body.asset
    expect(asset.collections.map((link: { collection_id: string }) => link.collection_id).sort()).toEqual(
      [w.collection.id, other.id].sort(),
    )
    expect((await w.as('bob').get(`/api/asset/${dropped.id}`)).status).toBe(404)
    expect(await objectsOf(dropped.id)).toEqual([])
    expect(await objectsOf(kept.id)).toHaveLength(1)
  })
})

describe('an id from the client', () => {
  test('Starting an upload is idempotent for its author, and the id is refused to others', async () => {
    const w = await world({ bob: 'write' })
    const bytes = jpegLike()
    const id = newId()
    const answers = await Promise.all([1, 2, 3].map(() => w.as('ada').post('/api/asset', declared(bytes, { id }))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    for (const { body } of answers) expect(body).toMatchObject({ asset: { id, status: 'uploading' }, upload: { parts: 1 } })
    expect((await w.as('bob').post('/api/asset', declared(jpegLike(), { id }))).status).toBe(409)
    await sendParts(w.as('ada'), id, bytes)
    await w.as('ada').post(`/api/asset/${id}/complete`)
    const after = await w.as('ada').post('/api/asset', declared(bytes, { id }))
    expect(after.status).toBe(200)
    expect(after.body.asset).toMatchObject({ id, status: 'ready' })
    expect(after.body.upload).toBeUndefined()
  })
})

describe('refused uploads', () => {
  test.each<[string, Record<string, unknown>]>([
    ['an empty file', { size: 0 }],
    ['more than 5 GiB', { size: LIMITS.fileSize + 1 }],
    ['half a byte', { size: 1.5 }],
    ['a checksum in upper case', { checksum: 'A'.repeat(64) }],
    ['a short checksum', { checksum: 'ab' }],
    ['no name', { name: ' ' }],
    ['NUL in the name', { name: 'a\u0000b.jpg' }],
    ['a name of 400 characters', { name: `${'a'.repeat(400)}.jpg` }],
    ['no media type', { type: 'jpeg' }],
    ['a header in the media type', { type: 'image/jpeg\r\nx: y' }],
    ["somebody else's user_id", { user_id: 'eve' }],
    ['a status', { status: 'ready' }],
    ['an id that is not a UUIDv7', { id: '00000000-0000-4000-8000-000000000000' }],
    ['a latitude beyond the pole', { location: { lat: 90.0001, lon: 0 } }],
  ])('Starting an upload is refused for %s', async (_, wrong) => {
    const w = await world()
    const answer = await w.as('ada').post('/api/asset', { ...declared(jpegLike()), ...wrong })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ code: 'invalid', fields: expect.any(Object) })
  })

  test('Starting an upload gets 403 for readers, 404 with the collection for strangers, and 401 without a session', async () => {
    const w = await world({ bob: 'read', eve: null })
    const body = declared(jpegLike(), { collectionIds: [w.collection.id] })
    expect((await w.as('bob').post('/api/asset', body)).status).toBe(403)
    const stranger = await w.as('eve').post('/api/asset', body)
    expect(stranger.status).toBe(404)
    expect(stranger.body.error.fields.collectionIds).toContain(w.collection.id)
    expect((await w.anonymous.post('/api/asset', body)).status).toBe(401)
    expect(await w.sql`select 1 from assets where checksum = ${body.checksum}`).toEqual([])
  })

  test('Starting an upload with people of another collection is refused', async () => {
    const w = await world({ eve: null })
    const body = declared(jpegLike(), { collectionIds: [w.collection.id], peopleIds: [newId()] })
    expect((await w.as('ada').post('/api/asset', body)).status).toBe(404)
  })
})

test('The detected type overrides the name: a text named .jpg becomes text/plain', async () => {
  const w = await world()
  const asset = await upload(w.as('ada'), new TextEncoder().encode(`Dear diary ${newId()}`))
  expect(asset).toMatchObject({ name: 'photo.jpg', type: 'text/plain' })
})

test('Cancelling an upload deletes all of it', async () => {
  const w = await world({ bob: 'admin' })
  const bytes = noise(9 * MIB)
  const { id } = await begin(w.as('ada'), bytes, { collectionIds: [w.collection.id] })
  await sendPart(w.as('ada'), id, 1, bytes.subarray(0, LIMITS.partSize))
  expect((await w.as('bob').delete(`/api/asset/${id}`)).status).toBe(404)
  expect((await w.as('ada').delete(`/api/asset/${id}`)).status).toBe(200)
  expect(await w.sql`select 1 from assets where id = ${id}`).toEqual([])
  expect((await sendPart(w.as('ada'), id, 2, bytes.subarray(LIMITS.partSize))).status).toBe(404)
})
