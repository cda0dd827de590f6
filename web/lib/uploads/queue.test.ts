import { expect, test, vi } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { asset, COLLECTION, clip, file, memoryStore, Refusal, settled, stage } from '../../../tests/support/upload-stage.ts'
import type { Prepared, UploadItem, UploadTransport } from './types.ts'

test('Files are prepared, sent in parts, completed, and then removed from the device', async () => {
  const { queue, store, transport, events, states } = stage()
  await queue.lead()
  await queue.add(COLLECTION, [file('a.jpg'), file('b.jpg')])
  await settled(() => expect(states()).toEqual({ 'a.jpg': 'done', 'b.jpg': 'done' }))
  expect(transport.putPart).toHaveBeenCalledTimes(4)
  expect(transport.putRendition).toHaveBeenCalledTimes(2)
  expect(await store.items()).toEqual([])
  expect(events.at(-1)).toEqual({
    kind: 'settled',
    collectionId: COLLECTION,
    added: ['image/jpeg', 'image/jpeg'],
    duplicates: 0,
    completed: 0,
    failed: 0,
  })
})

const whole: UploadTransport['sendWhole'] = async ({ id }, _parts, { onProgress, onUploaded }) => {
  onProgress?.(100)
  onUploaded?.()
  return { asset: asset(id), duplicate: false }
}

test('A small file is sent with its metadata and renditions in one request', async () => {
  const sendWhole = vi.fn(whole)
  const { queue, transport, events, states } = stage({ transport: { sendWhole } })
  await queue.lead()
  await queue.add(COLLECTION, [file('a.jpg')])
  await settled(() => expect(states()).toEqual({ 'a.jpg': 'done' }))
  expect(sendWhole.mock.calls).toHaveLength(1)
  expect(sendWhole.mock.calls[0]?.[1]).toMatchObject({ meta: { checksum: 'a.jpg' }, renditions: { preview: null } })
  for (const call of [transport.putPart, transport.complete, transport.putRendition]) expect(call).not.toHaveBeenCalled()
  expect(events.map(({ kind }) => kind)).toEqual(['done', 'settled'])
})

test('A file larger than one part is sent in parts', async () => {
  const sendWhole = vi.fn(whole)
  const large = file('film.mp4', 'x'.repeat(LIMITS.partSize + 1))
  const { queue, transport, states } = stage({ transport: { sendWhole } })
  await queue.lead()
  await queue.add(COLLECTION, [large])
  await settled(() => expect(states()).toEqual({ 'film.mp4': 'done' }))
  expect(sendWhole).not.toHaveBeenCalled()
  expect(transport.putPart).toHaveBeenCalledTimes(2)
})

test('The server is asked first about bytes that the collection shows already', async () => {
  const sendWhole = vi.fn(whole)
  const begin: UploadTransport['begin'] = async ({ id }) => ({ state: 'ready', asset: asset(id), duplicate: true })
  const { queue, states } = stage({ transport: { sendWhole, begin }, isKnown: (checksum) => checksum === 'a.jpg' })
  await queue.lead()
  await queue.add(COLLECTION, [file('a.jpg'), file('b.jpg')])
  await settled(() => expect(states()).toEqual({ 'a.jpg': 'duplicate', 'b.jpg': 'done' }))
  expect(sendWhole).toHaveBeenCalledTimes(1)
})

test('A file sent whole is sent again after the connection was lost, and is discarded on the server if it is cancelled', async () => {
  const sendWhole = vi.fn<UploadTransport['sendWhole']>().mockRejectedValue(new Refusal('offline'))
  const { queue, transport, states, pass } = stage({ transport: { sendWhole } })
  await queue.lead()
  await queue.add(COLLECTION, [file('a.jpg')])
  await settled(() => expect(states()).toEqual({ 'a.jpg': 'retrying' }))
  pass(60_000)
  await settled(() => expect(sendWhole).toHaveBeenCalledTimes(2))
  vi.mocked(transport.discard).mockRejectedValueOnce(new Refusal('not_found'))
  queue.cancel()
  expect(transport.discard).toHaveBeenCalledTimes(1)
  // The request that was under way may have made its row since.
  await settled(() => {
    pass(5_000)
    expect(transport.discard).toHaveBeenCalledTimes(2)
  })
})

test('A file that fails before the device has stored it is kept there all the same', async () => {
  const store = memoryStore()
  const stored = Promise.withResolvers<void>()
  const { save } = store
  store.save = async (...args) => {
    await stored.promise
    return save(...args)
  }
  const { queue, states } = stage({ store, transport: { sendWhole: async () => Promise.reject(new Refusal('quota_exceeded')) } })
  await queue.lead()
  const added = queue.add(COLLECTION, [file('a.jpg')])
  await settled(() => expect(states()).toEqual({ 'a.jpg': 'failed' }))
  stored.resolve()
  await added
  expect(await store.items()).toMatchObject([{ state: 'failed', keep: 'kept' }])
  expect(await store.file(queue.items()[0]?.id ?? '')).not.toBeNull()
})

test('A file that is refused whole is shown as uploading while it is sent in parts', async () => {
  const sendWhole: UploadTransport['sendWhole'] = async (_item, _parts, { onUploaded }) => {
    onUploaded?.()
    throw new Refusal('invalid')
  }
  const putPart = () => new Promise<void>(() => {})
  const { queue, states } = stage({ transport: { sendWhole, putPart } })
  await queue.lead()
  await queue.add(COLLECTION, [file('a.jpg')])
  await settled(() => expect(states()).toEqual({ 'a.jpg': 'uploading' }))
})

test('An empty file is refused with a reason and cannot be retried; the others continue', async () => {
  const { queue, states } = stage()
  await queue.lead()
  await queue.add(COLLECTION, [file('empty.jpg', ''), file('a.jpg')])
  await settled(() => expect(states()).toEqual({ 'empty.jpg': 'failed', 'a.jpg': 'done' }))
  queue.resume()
  expect(queue.items()[0]).toMatchObject({ state: 'failed', message: 'The file is empty', final: true })
})

test('The same bytes dropped twice at once are sent once', async () => {
  const { queue, transport, states, events } = stage()
  await queue.lead()
  await queue.add(COLLECTION, [file('a.jpg', 'same'), file('copy.jpg', 'same')])
  await settled(() => expect(Object.values(states()).toSorted()).toEqual(['done', 'duplicate']))
  expect(transport.complete).toHaveBeenCalledTimes(1)
  expect(events.at(-1)).toMatchObject({ kind: 'settled', added: ['image/jpeg'], duplicates: 1 })
})

test('A file that is cancelled takes its copy along, which nobody has sent', async () => {
  const { queue, transport, states } = stage({ transport: { begin: () => new Promise(() => {}) } })
  await queue.lead()
  await queue.add(COLLECTION, [file('a.jpg', 'same'), file('copy.jpg', 'same')])
  await settled(() => expect(Object.values(states())).toContain('duplicate'))
  queue.cancel(queue.items().find(({ state }) => state !== 'duplicate')?.id)
  await settled(() => expect(queue.items()).toEqual([]))
  expect(transport.complete).not.toHaveBeenCalled()
})

const given: NonNullable<UploadItem['given']> = {
  ...{ exactly: false, date: null, dateZone: null, datePrecision: 'unknown', location: null, alt: null, peopleIds: [] },
}

test('What is known about a second copy goes with the first, even if that is under way', async () => {
  const { promise: prepared, resolve: finishPreparing } = Promise.withResolvers<void>()
  const fillIn = vi.fn(async (existing: Asset) => existing)
  const { queue, transport, prepare, states } = stage({ transport: { fillIn } })
  const read = prepare.getMockImplementation()
  prepare.mockImplementationOnce(async (file) => {
    await prepared
    return (await read?.(file)) as Prepared
  })
  await queue.lead()
  const first = { overrides: { ...given, alt: 'Canal', peopleIds: ['ann'] } }
  const second = { overrides: { ...given, alt: 'Water', location: { lat: 1, lon: 2 }, peopleIds: ['ben', 'ann'] } }
  await queue.add(COLLECTION, [file('a.jpg', 'same'), file('b.jpg', 'same')], [first, second])
  finishPreparing()
  await settled(() => expect(Object.values(states()).toSorted()).toEqual(['done', 'duplicate']))
  const [[, item] = []] = fillIn.mock.calls as unknown as [unknown, UploadItem][]
  expect(transport.complete).toHaveBeenCalledTimes(1)
  expect(item?.given).toMatchObject({ location: { lat: 1, lon: 2 }, peopleIds: expect.arrayContaining(['ann', 'ben']) })
})

test('A finished upload does not count as a duplicate: the server is asked again', async () => {
  const { queue, transport, states } = stage()
  await queue.lead()
  await queue.add(COLLECTION, [file('a.jpg', 'same')])
  await settled(() => expect(states()).toEqual({ 'a.jpg': 'done' }))
  await queue.add(COLLECTION, [file('again.jpg', 'same')])
  await settled(() => expect(states()).toEqual({ 'a.jpg': 'done', 'again.jpg': 'done' }))
  expect(transport.complete).toHaveBeenCalledTimes(2)
})

test('A file that the server already has counts as a duplicate, and whether it was completed is told', async () => {
  const { queue, transport, states, events } = stage({
    transport: { begin: async ({ id, name }) => ({ state: 'ready', asset: asset(id), duplicate: true, completed: name === 'a.jpg' }) },
  })
  await queue.lead()
  await queue.add(COLLECTION, [file('a.jpg'), file('b.jpg')])
  await settled(() => expect(states()).toEqual({ 'a.jpg': 'duplicate', 'b.jpg': 'duplicate' }))
  expect(events.at(-1)).toMatchObject({ kind: 'settled', duplicates: 2, completed: 1 })
  expect(transport.putPart).not.toHaveBeenCalled()
})

test('After a lost connection only the missing part is sent', async () => {
  let broken = true
  const scene = stage()
  const sendPart = scene.transport.putPart
  scene.transport.putPart = vi.fn(async (id, part, bytes, options) => {
    if (part === 2 && broken) throw new Refusal('offline')
    return sendPart(id, part, bytes, options)
  })
  await scene.queue.lead()
  await scene.queue.add(COLLECTION, [file('a.jpg')])
  await settled(() => expect(scene.queue.items()[0]).toMatchObject({ state: 'retrying', message: 'Waiting for the connection' }))
  broken = false
  scene.pass(1_000)
  await settled(() => expect(scene.states()).toEqual({ 'a.jpg': 'done' }))
  expect(sendPart).toHaveBeenCalledTimes(2)
})

test('A part that is refused because of another request of its upload is sent again once the server has told what it has', async () => {
  let refusals = 1
  const scene = stage()
  const sendPart = scene.transport.putPart
  const resume = vi.spyOn(scene.transport, 'resume')
  scene.transport.putPart = async (id, part, bytes, options) => {
    if (part === 2 && refusals-- > 0) throw new Refusal('conflict')
    return sendPart(id, part, bytes, options)
  }
  await scene.queue.lead()
  await scene.queue.add(COLLECTION, [file('a.jpg')])
  await settled(() => expect(scene.states()).toEqual({ 'a.jpg': 'done' }))
  expect(resume).toHaveBeenCalledTimes(1)
  expect(scene.parts.get(scene.queue.items()[0]?.id ?? '')).toEqual([1, 2])
})

test('An outage is detected once, not by every file', async () => {
  const sendWhole = vi.fn(async () => Promise.reject(new Refusal('offline')))
  const scene = stage({ transport: { sendWhole } })
  await scene.queue.lead()
  await scene.queue.add(
    COLLECTION,
    Array.from({ length: 20 }, (_, i) => file(`${i}.jpg`)),
  )
  await settled(() => expect(Object.values(scene.states()).filter((state) => state === 'ready').length).toBeGreaterThan(4))
  expect(sendWhole.mock.calls.length).toBeLessThanOrEqual(3)
  for (const wait of [1_000, 2_000, 4_000]) {
    scene.pass(wait - 1)
    const before = sendWhole.mock.calls.length
    scene.pass(1)
    await settled(() => expect(sendWhole.mock.calls.length).toBeGreaterThan(before))
  }
  expect(sendWhole.mock.calls.length).toBeLessThanOrEqual(12)
})

test('While the server answers that it is unavailable, all files wait as one, and none fails', async () => {
  let down = true
  const sendWhole = vi.fn<UploadTransport['sendWhole']>(async (...args) => {
    if (down) throw new Refusal('unavailable')
    return whole(...args)
  })
  const scene = stage({ transport: { sendWhole } })
  await scene.queue.lead()
  await scene.queue.add(
    COLLECTION,
    Array.from({ length: 20 }, (_, i) => file(`${i}.jpg`)),
  )
  const waits = () => expect(Object.values(scene.states())).toContain('retrying')
  await settled(waits)
  for (let seconds = 0; seconds < 180; seconds += 5) {
    scene.pass(5_000)
    await settled(waits)
    expect(Object.values(scene.states())).not.toContain('failed')
  }
  expect(sendWhole.mock.calls.length).toBeLessThan(40)
  down = false
  await settled(() => {
    scene.pass(31_000)
    expect(new Set(Object.values(scene.states()))).toEqual(new Set(['done']))
  })
})

test('Files that the server never takes do not keep the others back', async () => {
  const bad = new Set(Array.from({ length: 12 }, (_, i) => `bad ${i}.jpg`))
  const sendWhole = vi.fn<UploadTransport['sendWhole']>(async (item, ...rest) => {
    if (bad.has(item.name)) throw new Refusal('unavailable')
    return whole(item, ...rest)
  })
  const scene = stage({ transport: { sendWhole } })
  await scene.queue.lead()
  const good = Array.from({ length: 12 }, (_, i) => `good ${i}.jpg`)
  await scene.queue.add(
    COLLECTION,
    [...bad, ...good].map((name) => file(name)),
  )
  await settled(() => {
    scene.pass(31_000)
    expect(scene.states()).toMatchObject(Object.fromEntries(good.map((name) => [name, 'done'])))
  })
  expect(Object.values(scene.states())).not.toContain('failed')
})

test('The renditions of a file that failed are on the device alone, and are sent with the next attempt', async () => {
  const sendWhole = vi.fn(whole).mockRejectedValueOnce(new Refusal('internal'))
  const { queue, store, states, pass } = stage({ transport: { sendWhole } })
  await queue.lead()
  await queue.add(COLLECTION, [file('a.jpg')])
  await settled(() => expect(states()).toEqual({ 'a.jpg': 'retrying' }))
  vi.spyOn(store, 'renditions').mockResolvedValue({ thumb: new Blob(['from the device']), preview: null })
  await settled(() => {
    pass(1_000)
    expect(states()).toEqual({ 'a.jpg': 'done' })
  })
  expect(await sendWhole.mock.lastCall?.[1].renditions.thumb?.text()).toBe('from the device')
})

test('Back online, an upload continues before its timer ends', async () => {
  let broken = true
  const scene = stage({
    transport: {
      begin: async () => {
        if (broken) throw new Refusal('offline')
        return { state: 'open', partSize: 4, parts: 2, received: [] }
      },
    },
  })
  await scene.queue.lead()
  await scene.queue.add(COLLECTION, [file('a.jpg')])
  await settled(() => expect(scene.states()).toEqual({ 'a.jpg': 'retrying' }))
  broken = false
  scene.queue.retryNow()
  await settled(() => expect(scene.states()).toEqual({ 'a.jpg': 'done' }))
})

test('A removed member keeps the file and gets the reason', async () => {
  const { queue, store, states } = stage({ transport: { putPart: async () => Promise.reject(new Refusal('forbidden')) } })
  await queue.lead()
  await queue.add(COLLECTION, [file('a.jpg')])
  await settled(() => expect(states()).toEqual({ 'a.jpg': 'failed' }))
  expect(queue.items()[0]?.message).toContain('The file is still here')
  expect(await store.items()).toHaveLength(1)
})

test('A file whose collection refuses it is added to another one, without people of the first', async () => {
  const begin = vi.fn(async (item: UploadItem) => {
    if (item.collectionId === COLLECTION) throw new Refusal('not_found')
    return { state: 'ready' as const, asset: asset(item.id), duplicate: false }
  })
  const { queue, store, events, states } = stage({ transport: { begin } })
  await queue.lead()
  const given = { exactly: false, date: null, dateZone: null, datePrecision: 'unknown' as const, location: null, alt: 'A letter' }
  await queue.add(COLLECTION, [file('a.jpg')], [{ overrides: { ...given, peopleIds: ['grace'] } }])
  await settled(() => expect(states()).toEqual({ 'a.jpg': 'failed' }))
  const refused = queue.items()[0]
  await queue.addTo(refused?.id, 'another')
  await settled(() => expect(states()).toEqual({ 'a.jpg': 'done' }))
  expect(begin.mock.lastCall?.[0]).toMatchObject({ collectionId: 'another', given: { alt: 'A letter', peopleIds: [] } })
  expect(queue.items()[0]?.id).not.toBe(refused?.id)
  expect(await store.items()).toEqual([])
  expect(events.at(-1)).toMatchObject({ kind: 'settled', collectionId: 'another', added: ['image/jpeg'] })
})

test('A refused file stays where it is if the device has no room for it a second time', async () => {
  const store = memoryStore()
  const { queue } = stage({ store, transport: { begin: async () => Promise.reject(new Refusal('not_found')) } })
  await queue.lead()
  await queue.add(COLLECTION, [file('a.jpg')])
  await settled(() => expect(queue.items()).toMatchObject([{ state: 'failed', keep: 'kept' }]))
  store.save = async () => false
  const id = queue.items()[0]?.id
  await queue.addTo(id, 'another')
  expect((await store.items()).map((item) => item.id)).toEqual([id])
  expect(queue.items()).toHaveLength(2)
})

test('What failed stays on the list and the device when the rest is cleared for the next batch, until the user clears all', async () => {
  const refused = { sendWhole: async ({ name }: UploadItem) => Promise.reject(new Refusal(name === 'a.jpg' ? 'forbidden' : 'invalid')) }
  const { queue, store, states, filmsOf } = stage({ transport: refused, films: { make: () => Promise.reject(new Refusal('no-film')) } })
  await queue.lead()
  await queue.add(COLLECTION, [file('a.jpg'), file('b.jpg'), clip('c.mov'), file('empty.jpg', '')])
  await settled(() => expect(filmsOf()).toEqual([undefined, undefined, 'failed', undefined]))
  queue.dismissArrived()
  expect(states()).toEqual({ 'a.jpg': 'failed', 'c.mov': 'done', 'empty.jpg': 'failed' })
  expect(queue.items()[0]?.message).toContain('The file is still here')
  expect(await store.file(queue.items()[0]?.id ?? '')).not.toBeNull()
  queue.dismiss()
  expect(queue.items()).toEqual([])
  await settled(async () => expect(await store.items()).toEqual([]))
})

test('After a reload, another queue on the same store continues where the first stopped', async () => {
  const store = memoryStore()
  const first = stage({ store, transport: { putPart: () => new Promise(() => {}) } })
  await first.queue.lead()
  await first.queue.add(COLLECTION, [file('a.jpg'), file('b.jpg')])
  await settled(() => expect(Object.values(first.states())).toEqual(['uploading', 'uploading']))
  first.queue.stop()
  const second = stage({ store })
  await second.queue.lead()
  await settled(() => expect(second.states()).toEqual({ 'a.jpg': 'done', 'b.jpg': 'done' }))
  expect(second.prepare).not.toHaveBeenCalled()
})

test('A paused file stays paused after a reload, and resumes when asked', async () => {
  const store = memoryStore()
  const first = stage({ store, transport: { putPart: () => new Promise(() => {}) } })
  await first.queue.lead()
  await first.queue.add(COLLECTION, [file('a.jpg')])
  await settled(() => expect(first.states()).toEqual({ 'a.jpg': 'uploading' }))
  first.queue.pause()
  expect(first.states()).toEqual({ 'a.jpg': 'paused' })
  first.queue.stop()
  const second = stage({ store })
  await second.queue.lead()
  expect(second.states()).toEqual({ 'a.jpg': 'paused' })
  second.queue.resume()
  await settled(() => expect(second.states()).toEqual({ 'a.jpg': 'done' }))
})

test('A cancelled upload is removed from the server and the device', async () => {
  const { queue, store, transport, states } = stage({ transport: { putPart: () => new Promise(() => {}) } })
  await queue.lead()
  await queue.add(COLLECTION, [file('a.jpg')])
  await settled(() => expect(queue.items()[0]?.begun).toBe(true))
  queue.cancel()
  expect(states()).toEqual({})
  await settled(() => expect(transport.discard).toHaveBeenCalledTimes(1))
  expect(await store.items()).toEqual([])
})

test('Server errors are retried six times, then left to the user', async () => {
  const scene = stage({ transport: { sendWhole: async () => Promise.reject(new Refusal('internal')) } })
  await scene.queue.lead()
  await scene.queue.add(COLLECTION, [file('a.jpg')])
  for (let i = 0; i < 5; i++) {
    await settled(() => expect(scene.queue.items()[0]).toMatchObject({ state: 'retrying', attempts: i + 1 }))
    scene.pass(31_000)
  }
  await settled(() => expect(scene.states()).toEqual({ 'a.jpg': 'failed' }))
})

test('Files that are added together have ids in the order of their names, which is how photos of one second are shown', async () => {
  const { queue } = stage()
  await queue.lead()
  await queue.add(
    COLLECTION,
    ['IMG_10.jpg', 'IMG_9.jpg', 'IMG_11.jpg'].map((name) => file(name)),
  )
  const inOrder = queue.items().toSorted((a, b) => (a.id < b.id ? -1 : 1))
  expect(inOrder.map(({ name }) => name)).toEqual(['IMG_9.jpg', 'IMG_10.jpg', 'IMG_11.jpg'])
})
