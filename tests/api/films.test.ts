import { describe, expect, inject, test } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { beginFilm, completeFilm, deleteFilm, getFilmUpload } from '../../contract/films.ts'
import { LIMITS } from '../../contract/limits.ts'
import { connect } from '../../worker/db/client.ts'
import { findUnfinishedFilm, markFilmReady } from '../../worker/queries/films.ts'
import { checksOf } from '../../worker/queries/permissions.ts'
import { beginning, FILM, jpegLike, MIB, noise, partsOf, sendFilm, sha256, upload, video } from '../support/files.ts'
import { collectionOf } from '../support/rows.ts'
import { objectBytes, objectsOf, runMinutesTask } from '../support/storage.ts'
import { type World, world } from '../support/world.ts'

/** Playable films of videos whose codec few browsers know. */

const declaredFilm = (bytes: Uint8Array, type = 'video/mp4') => ({ type, size: bytes.length, checksum: sha256(bytes) })
const pathOf = ({ id }: Pick<Asset, 'id'>) => `/api/asset/${id}/renditions/film`
const clip = (w: World, who = 'ada', size = 2_000) =>
  upload(w.as(who), video(size, 'qt  '), { name: 'lake.mov', type: 'video/quicktime', collectionIds: [w.collection.id] })
const bytesOf = async (w: World) => {
  const { body } = await w.as('ada').get('/api/usage')
  const collection = await w.as('ada').get(`/api/collections/${w.collection.id}/usage`)
  return [body.usage.bytes, collection.body.usage.bytes]
}
/** Large films of an original that was sent as a few bytes. */
const grown = (w: World, { id }: Asset) => w.sql`update assets set size = ${100 * MIB} where id = ${id}`

describe('a playable film', () => {
  test('It is sent, told to the others as a change of its asset, and served to them', async () => {
    const w = await world({ bob: 'read', eve: null })
    const asset = await clip(w)
    const begun = await w.as('ada').post(pathOf(asset), declaredFilm(FILM.bytes))
    expect(beginFilm.response.parse(begun.body)).toEqual({ success: true, partSize: LIMITS.partSize, parts: 1 })
    expect((await w.as('bob').get(`/api/asset/${asset.id}`)).body.asset).toMatchObject({ renditions: [], version: asset.version })
    expect((await w.as('bob').get(pathOf(asset))).status).toBe(404)
    await w.as('ada').put(`${pathOf(asset)}/parts/1`, FILM.bytes)
    const before = await w.changes()
    const done = completeFilm.response.parse((await w.as('ada').post(`${pathOf(asset)}/complete`)).body).asset
    expect(done).toMatchObject({ id: asset.id, renditions: ['film'], type: 'video/quicktime', file_version: done.version })
    expect((await w.changes()).slice(before.length)).toMatchObject([{ table_name: 'asset_collections', event: 'UPDATE', ids: [asset.id] }])

    const path = `${pathOf(asset)}?v=${done.file_version}`
    const shown = await w.as('bob').get(path)
    expect([shown.status, shown.bytes]).toEqual([200, FILM.bytes])
    expect(
      Object.fromEntries(
        ['content-type', 'accept-ranges', 'cache-control', 'x-content-type-options'].map((name) => [name, shown.headers.get(name)]),
      ),
    ).toEqual({
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    })
    const part = await w.as('bob').get(path, { headers: { range: 'bytes=10-19' } })
    expect([part.status, part.headers.get('content-range'), part.bytes]).toEqual([206, 'bytes 10-19/200', FILM.bytes.slice(10, 20)])
    expect((await w.as('bob').get(path, { headers: { range: 'bytes=200-' } })).status).toBe(416)
    const known = { headers: { 'if-none-match': shown.headers.get('etag') ?? '' } }
    expect((await w.as('bob').get(path, known)).status).toBe(304)
    expect((await w.as('eve').get(path)).status).toBe(404)
    expect((await w.anonymous.get(path)).status).toBe(401)
    // The original is still what is downloaded.
    expect((await w.as('bob').get(`/api/asset/${asset.id}/file`)).headers.get('content-type')).toBe('video/quicktime')
    const list = await w.as('bob').get(`/api/asset?collection_id=${w.collection.id}&form=columns`)
    expect(JSON.stringify(list.body)).toContain('film')
  })

  test('It resumes where it stopped, in any order', async () => {
    const w = await world()
    const asset = await clip(w)
    await grown(w, asset)
    const bytes = video(20 * MIB)
    const [first, second, third] = partsOf(bytes) as [Uint8Array, Uint8Array, Uint8Array]
    const begin = () => w.as('ada').post(pathOf(asset), declaredFilm(bytes))
    expect((await begin()).body).toEqual({ success: true, partSize: LIMITS.partSize, parts: 3 })
    const put = async (n: number, part: Uint8Array) => (await w.as('ada').put(`${pathOf(asset)}/parts/${n}`, part)).status
    expect([await put(3, third), await put(1, noise(LIMITS.partSize)), await put(4, third), await put(2, third)]).toEqual([
      200, 200, 400, 400,
    ])
    const state = getFilmUpload.response.parse((await w.as('ada').get(`${pathOf(asset)}/upload`)).body)
    expect(state).toEqual({ success: true, partSize: LIMITS.partSize, parts: 3, received: [1, 3] })
    expect((await begin()).status).toBe(200)
    const early = await w.as('ada').post(`${pathOf(asset)}/complete`)
    expect([early.status, early.body.error.fields.parts]).toEqual([400, 'Still to be sent: part 2'])
    expect([await put(1, first), await put(2, second)]).toEqual([200, 200])
    const complete = () => w.as('ada').post(`${pathOf(asset)}/complete`)
    const answers = [...(await Promise.all([complete(), complete()])), await complete()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(sha256((await w.as('ada').get(pathOf(asset))).bytes)).toBe(sha256(bytes))
    expect((await begin()).body).toMatchObject({ complete: true })
    expect((await w.as('ada').get(`${pathOf(asset)}/upload`)).status).toBe(404)
  })

  test.each([
    ['of one part', 2_000, 300],
    ['of several parts', 20 * MIB, 9 * MIB],
  ])('A film %s with other bytes than declared is refused, leaves nothing, and can be sent again', async (_, size, film) => {
    const w = await world()
    const asset = await clip(w)
    if (size > 2_000) await grown(w, asset)
    const bytes = video(film)
    await w.as('ada').post(pathOf(asset), declaredFilm(bytes))
    const send = async (sent: Uint8Array) => {
      for (const [i, part] of partsOf(sent).entries()) await w.as('ada').put(`${pathOf(asset)}/parts/${i + 1}`, part)
      return w.as('ada').post(`${pathOf(asset)}/complete`)
    }
    const refused = await send(video(film))
    expect([refused.status, refused.body.error]).toMatchObject([400, { fields: { checksum: expect.any(String) } }])
    expect(await objectsOf(asset.id)).toEqual([`assets/${asset.id}/original`])
    expect((await w.as('ada').get(`${pathOf(asset)}/upload`)).body.received).toEqual([])
    expect((await send(bytes)).body.asset.renditions).toEqual(['film'])
  })

  test('Bytes of another type than declared are refused', async () => {
    const w = await world()
    for (const bytes of [video(300, 'qt  '), beginning('<html><script>'), jpegLike(300)]) {
      const asset = await clip(w)
      await w.as('ada').post(pathOf(asset), declaredFilm(bytes))
      await w.as('ada').put(`${pathOf(asset)}/parts/1`, bytes)
      const refused = await w.as('ada').post(`${pathOf(asset)}/complete`)
      expect([refused.status, refused.body.error.code]).toEqual([415, 'unsupported_media'])
      expect(await objectsOf(asset.id)).toEqual([`assets/${asset.id}/original`])
    }
    const asset = await clip(w)
    expect((await w.as('ada').post(pathOf(asset), declaredFilm(FILM.bytes, 'video/quicktime'))).status).toBe(400)
  })

  test('It may have twice the bytes of its original, and not one more', async () => {
    const w = await world()
    const asset = await clip(w)
    const film = { type: 'video/webm', checksum: FILM.checksum }
    expect((await w.as('ada').post(pathOf(asset), { ...film, size: 4_001 })).status).toBe(413)
    expect((await w.as('ada').post(pathOf(asset), { ...film, size: 4_000 })).status).toBe(200)
  })

  test('Only the author of a video may send it, and only where they may still edit', async () => {
    const w = await world({ bob: 'admin', eve: null, wes: 'write' })
    const [asset, photo] = [await clip(w), await upload(w.as('ada'), jpegLike())]
    const begin = async (who: string, { id }: Asset) => (await w.as(who).post(pathOf({ id }), declaredFilm(FILM.bytes))).status
    expect([await begin('bob', asset), await begin('eve', asset), await begin('ada', photo)]).toEqual([404, 404, 415])
    const unfinished = (await w.as('ada').post('/api/asset', { name: 'b.mov', type: 'video/mp4', size: 5_000, checksum: sha256(noise(9)) }))
      .body.asset
    expect(await begin('ada', unfinished)).toBe(409)
    const wess = await clip(w, 'wes')
    expect(await begin('wes', wess)).toBe(200)
    await w.sql`update members set role = 'read' where user_id = ${w.as('wes').id} and collection_id = ${w.collection.id}`
    expect(await begin('wes', wess)).toBe(403)
    expect((await w.as('wes').put(`${pathOf(wess)}/parts/1`, FILM.bytes)).status).toBe(403)
    expect((await w.as('wes').post(`${pathOf(wess)}/complete`)).status).toBe(403)
    for (const who of ['bob', 'eve']) expect((await w.as(who).put(`${pathOf(asset)}/parts/1`, FILM.bytes)).status).toBe(404)
    await sendFilm(w.as('ada'), asset.id)
    await w.as('ada').delete(`/api/asset/${asset.id}`)
    expect(await begin('ada', asset)).toBe(404)
    expect((await w.as('bob').get(pathOf(asset))).status).toBe(404)
    await w.as('ada').post('/api/trash/restore', { assetIds: [asset.id] })
    expect((await w.as('bob').get(pathOf(asset))).status).toBe(200)
  })

  test('It does not become that of its asset if its author loses their role while it is checked', async () => {
    const w = await world({ bob: 'write' })
    const asset = await clip(w, 'bob')
    await w.as('bob').post(pathOf(asset), declaredFilm(FILM.bytes))
    const caller = { db: connect(inject('stack').databaseUrl), user: { id: w.as('bob').id }, checks: checksOf(['item.edit']) }
    const film = await findUnfinishedFilm(caller, asset.id)
    if (!film || film === 'none') throw new Error('It was not begun')
    await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('bob').id}`)
    expect(await markFilmReady(caller, film)).toBeNull()
    expect((await w.as('ada').get(`/api/asset/${asset.id}`)).body.asset.renditions).not.toContain('film')
  })

  test('Another one takes its place, and its object', async () => {
    const w = await world({ bob: 'read' })
    const asset = await clip(w)
    const first = await sendFilm(w.as('ada'), asset.id)
    const other = video(500)
    const second = await sendFilm(w.as('ada'), asset.id, other)
    expect(second.file_version).toBeGreaterThan(first.file_version ?? 0)
    expect((await w.as('bob').get(pathOf(asset))).bytes).toEqual(other)
    expect(await objectsOf(asset.id)).toHaveLength(2)
  })
})

describe('a playable film that is deleted', () => {
  test('It leaves the video, the quotas and the storage, and others are told', async () => {
    const w = await world({ bob: 'read' })
    const asset = await clip(w)
    const made = await sendFilm(w.as('ada'), asset.id)
    await w.as('ada').post(pathOf(asset), declaredFilm(video(300)))
    const before = await w.changes()
    const answer = await w.as('ada').delete(pathOf(asset))
    const gone = deleteFilm.response.parse(answer.body).asset
    expect([answer.status, gone.renditions, gone.version]).toEqual([200, [], made.version + 1])
    expect(gone.file_version).toBe(gone.version)
    expect((await w.changes()).slice(before.length)).toMatchObject([{ table_name: 'asset_collections', event: 'UPDATE', ids: [asset.id] }])
    expect((await w.as('bob').get(`/api/asset/${asset.id}`)).body.asset.renditions).toEqual([])
    expect((await w.as('bob').get(pathOf(asset))).status).toBe(404)
    expect((await w.as('bob').get(`/api/asset/${asset.id}/file`)).status).toBe(200)
    expect(await bytesOf(w)).toEqual([2_000, 2_000])
    expect(await objectsOf(asset.id)).toEqual([`assets/${asset.id}/original`])
    expect((await w.as('ada').get(`${pathOf(asset)}/upload`)).status).toBe(404)
    expect((await w.as('ada').delete(pathOf(asset))).status).toBe(404)
    // It can be made again.
    expect((await sendFilm(w.as('ada'), asset.id)).renditions).toEqual(['film'])
  })

  test('An admin may delete it; a writer, a reader and a stranger may not', async () => {
    const w = await world({ amy: 'admin', wes: 'write', bob: 'read', eve: null })
    const asset = await clip(w)
    await sendFilm(w.as('ada'), asset.id)
    const statuses = []
    for (const who of ['wes', 'bob', 'eve', 'amy']) statuses.push((await w.as(who).delete(pathOf(asset))).status)
    expect(statuses).toEqual([403, 403, 404, 200])
    expect((await w.anonymous.delete(pathOf(asset))).status).toBe(401)
    expect(await bytesOf(w)).toEqual([2_000, 2_000])
  })

  test.each([
    ['of one part', 300],
    ['of several parts', 9 * MIB],
  ])('A half-sent one %s gives back its quota at once, and the one before it stays', async (_, size) => {
    const w = await world()
    const asset = await clip(w)
    await grown(w, asset)
    await sendFilm(w.as('ada'), asset.id)
    const taken = await bytesOf(w)
    const bytes = video(size)
    await w.as('ada').post(pathOf(asset), declaredFilm(bytes))
    await w.as('ada').put(`${pathOf(asset)}/parts/1`, partsOf(bytes)[0])
    expect(await bytesOf(w)).toEqual(taken.map((before) => before + size))
    expect((await w.as('ada').delete(`${pathOf(asset)}/upload`)).status).toBe(200)
    expect(await bytesOf(w)).toEqual(taken)
    expect(await objectsOf(asset.id)).toHaveLength(2)
    expect((await w.as('ada').get(pathOf(asset))).bytes).toEqual(FILM.bytes)
    const late = [w.as('ada').put(`${pathOf(asset)}/parts/1`, bytes), w.as('ada').delete(`${pathOf(asset)}/upload`)]
    expect((await Promise.all(late)).map(({ status }) => status)).toEqual([404, 404])
  })
})

describe('what a playable film takes', () => {
  test('It counts from the start of its upload to its end, for the account and every collection', async () => {
    const w = await world()
    const asset = await clip(w)
    expect(await bytesOf(w)).toEqual([2_000, 2_000])
    await w.as('ada').post(pathOf(asset), declaredFilm(video(300)))
    expect(await bytesOf(w)).toEqual([2_300, 2_300])
    // Another one takes the place of an unfinished one.
    await sendFilm(w.as('ada'), asset.id)
    expect(await bytesOf(w)).toEqual([2_200, 2_200])
    const other = await collectionOf(w, 'ada')
    await w.as('ada').post(`/api/asset/${asset.id}/collections`, { collectionIds: [other] })
    expect((await w.as('ada').get(`/api/collections/${other}/usage`)).body.usage.bytes).toBe(2_200)
    await w.as('ada').post(pathOf(asset), declaredFilm(video(700)))
    expect((await w.as('ada').get(`/api/collections/${other}/usage`)).body.usage.bytes).toBe(2_900)
    await w.sql`update films set created_at = now() - interval '8 days' where asset_id = ${asset.id} and not ready`
    await runMinutesTask()
    await expect.poll(() => bytesOf(w)).toEqual([2_200, 2_200])
    await w.as('ada').delete(`/api/asset/${asset.id}`)
    expect(await bytesOf(w)).toEqual([2_200, 2_200])
    await w.as('ada').delete('/api/trash', { assetIds: [asset.id] })
    expect(await bytesOf(w)).toEqual([0, 0])
    await expect.poll(() => objectsOf(asset.id)).toEqual([])
  })

  test.each(['account', 'collection'] as const)(
    'A full %s takes films to the last byte, and one more is refused and leaves no trace',
    async (kind) => {
      const w = await world()
      const asset = await clip(w)
      const owner = kind === 'account' ? w.as('ada').id : w.collection.id
      await w.sql`insert into quotas (owner, bytes, items) values (${owner}, 2500, 100)`
      const refused = await w.as('ada').post(pathOf(asset), declaredFilm(video(501)))
      expect([refused.status, refused.body.error.code]).toEqual([413, 'quota_exceeded'])
      expect(await w.sql`select from films where asset_id = ${asset.id}`).toEqual([])
      expect(await bytesOf(w)).toEqual([2_000, 2_000])
      expect((await w.as('ada').post(pathOf(asset), declaredFilm(video(500)))).status).toBe(200)
    },
  )

  test('A copy has its own film, which stays when the first one goes', async () => {
    const w = await world()
    const left = await collectionOf(w, 'ada')
    const frozen = await upload(w.as('ada'), video(), { type: 'video/mp4', collectionIds: [left] })
    await sendFilm(w.as('ada'), frozen.id)
    await w.sql`delete from members where collection_id = ${left}`
    const { asset } = (await w.as('ada').post(`/api/asset/${frozen.id}/copy`, { collectionIds: [w.collection.id] })).body
    expect(asset.renditions).toEqual(['film'])
    expect(await bytesOf(w)).toEqual([4_400, 2_200])
    const [key] = (await objectsOf(asset.id)).filter((object) => object.includes('/films/'))
    expect(await objectBytes(key ?? '')).toEqual(FILM.bytes)
    expect((await w.as('ada').get(pathOf(asset))).bytes).toEqual(FILM.bytes)
  })
})
