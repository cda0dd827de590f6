import { describe, expect, test, vi } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { createUploadQueue, type QueueDeps } from './queue.ts'
import type { FilmMaker, Prepared, Renditions, UploadEvent, UploadItem, UploadStore, UploadTransport } from './types.ts'

const COLLECTION = '01890000-0000-7000-8000-000000000001'

class Refusal extends Error {
  code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

function memoryStore(room = true): UploadStore & { rows: Map<string, UploadItem> } {
  const rows = new Map<string, UploadItem>()
  const files = new Map<string, Blob>()
  const pictures = new Map<string, Renditions>()
  return {
    rows,
    async save(item, file) {
      if (room) files.set(item.id, file)
      if (room) rows.set(item.id, item)
      return room
    },
    async update(item) {
      if (rows.has(item.id)) rows.set(item.id, item)
    },
    saveRenditions: async (id, made) => void pictures.set(id, made),
    renditions: async (id) => pictures.get(id) ?? { thumb: null, preview: null },
    file: async (id) => files.get(id) ?? null,
    items: async (id) => [...rows.values()].filter((item) => !id || item.id === id),
    async remove(ids) {
      for (const id of ids) for (const map of [rows, files, pictures]) map.delete(id)
    },
  }
}

const asset = (id: string) => ({ id, status: 'ready', renditions: [] as string[] }) as Asset
const MADE = { type: 'video/mp4' as const, size: 4, checksum: 'f' }

/**
 * A queue with a manual clock, and a server that takes files only in parts, as large files and servers of older versions do, unless the
 * `transport` sends them whole.
 */
function stage(
  options: {
    room?: boolean
    store?: UploadStore
    transport?: Partial<UploadTransport>
    isKnown?: QueueDeps['isKnown']
    films?: Partial<FilmMaker>
    onHandedOver?: QueueDeps['onHandedOver']
  } = {},
) {
  const events: UploadEvent[] = []
  const timers: { run: () => void; at: number }[] = []
  const parts = new Map<string, number[]>()
  let time = 1_800_000_000_000
  const open = (id: string) => ({ state: 'open' as const, partSize: 4, parts: 2, received: parts.get(id) ?? [] })
  const transport: UploadTransport = {
    sendWhole: vi.fn(async () => {
      throw new Refusal('unsupported_media')
    }),
    begin: async (item) => open(item.id),
    resume: async (id) => open(id),
    putPart: vi.fn(async (id: string, part: number) => void parts.set(id, [...(parts.get(id) ?? []), part])),
    putRendition: vi.fn(async () => {}),
    complete: vi.fn(async ({ id }: UploadItem) => ({ asset: asset(id), duplicate: false })),
    fillIn: async (existing) => existing,
    discard: vi.fn(async () => {}),
    discardFilm: vi.fn(async () => {}),
    sendFilm: vi.fn(async (id: string) => ({ ...asset(id), renditions: ['film' as const] })),
    ...options.transport,
  }
  const prepare = vi.fn(async (file: Blob): Promise<Prepared> => {
    const checksum = await file.text()
    const plays = file.type.startsWith('video/') ? ('makeable' as const) : null
    const meta = { checksum, plays, type: 'image/jpeg', width: 4, height: 3, duration: null, thumbhash: null, date: null, dateZone: null }
    return { meta: { ...meta, datePrecision: 'unknown', location: null }, thumb: new Blob(['t']), preview: null, note: null }
  })
  const store = options.store ?? memoryStore(options.room)
  const films: FilmMaker = {
    wanted: () => true,
    mayBeSent: () => true,
    make: vi.fn(async () => MADE),
    film: async () => new Blob(['film']),
    remove: vi.fn(),
    keepOnly: vi.fn(),
    ...options.films,
  }
  const queue = createUploadQueue({
    ...{ userId: 'ada', store, prepare, transport, films },
    isKnown: options.isKnown ?? (() => false),
    onHandedOver: options.onHandedOver ?? (() => {}),
    failureOf: (error) => ({ code: error instanceof Refusal ? error.code : 'unreadable', message: String(error), retryAfter: null }),
    onChange: () => {},
    onEvent: (event) => events.push(event),
    now: () => time,
    random: () => 0,
    later: (run, ms) => {
      const timer = { run, at: time + ms }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), 1)
    },
  })
  const states = () => Object.fromEntries(queue.items().map((item) => [item.name, item.state]))
  function pass(ms: number) {
    time += ms
    for (const timer of timers.splice(0)) timer.at <= time ? timer.run() : timers.push(timer)
  }
  const filmsOf = () => queue.items().map(({ film }) => film?.state)
  return { queue, store, transport, prepare, events, states, pass, parts, films, filmsOf }
}

const file = (name: string, content = name) => new File([content], name, { type: 'image/jpeg' })
const clip = (name: string) => new File([name], name, { type: 'video/quicktime' })
const settled = (check: () => void) => vi.waitFor(check, { timeout: 1000, interval: 2 })

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

describe('Two tabs', () => {
  test('A tab that does not lead stores its files and leaves them', async () => {
    const store = memoryStore()
    const follower = stage({ store })
    await follower.queue.add(COLLECTION, [file('a.jpg')])
    expect(follower.queue.items()).toEqual([])
    const leader = stage({ store })
    await leader.queue.lead()
    await settled(() => expect(leader.states()).toEqual({ 'a.jpg': 'done' }))
    expect(follower.transport.complete).not.toHaveBeenCalled()
  })

  test('Of many files that another tab has stored, the leading tab reads each once', async () => {
    const store = memoryStore()
    const leader = stage({ store, transport: { sendWhole: () => new Promise(() => {}) } })
    await leader.queue.lead()
    const { items } = store
    let rowsRead = 0
    store.items = async (id) => {
      const read = await items(id)
      rowsRead += read.length
      return read
    }
    const follower = stage({ store, onHandedOver: (id) => void leader.queue.adopt(id) })
    await follower.queue.add(
      COLLECTION,
      Array.from({ length: 200 }, (_, i) => file(`${i}.jpg`)),
    )
    await settled(() => expect(leader.queue.items()).toHaveLength(200))
    expect(rowsRead).toBe(200)
  })

  test('A tab that no longer leads leaves its stored files to the next, and keeps those that only it has', async () => {
    const store = memoryStore()
    const hanging = { sendWhole: vi.fn(() => new Promise<never>(() => {})) }
    const suspended = stage({ store, transport: hanging })
    await suspended.queue.lead()
    await suspended.queue.add(COLLECTION, [file('a.jpg'), file('b.jpg')])
    await settled(() => expect(hanging.sendWhole).toHaveBeenCalledTimes(2))
    const next = stage({ store })
    await next.queue.lead()
    suspended.queue.follow()
    expect(suspended.queue.items()).toEqual([])
    await settled(() => expect(next.states()).toEqual({ 'a.jpg': 'done', 'b.jpg': 'done' }))

    const memoryOnly = stage({ room: false, transport: hanging })
    await memoryOnly.queue.lead()
    await memoryOnly.queue.add(COLLECTION, [file('c.jpg')])
    await settled(() => expect(memoryOnly.states()).toEqual({ 'c.jpg': 'uploading' }))
    memoryOnly.queue.follow()
    expect(memoryOnly.states()).toEqual({ 'c.jpg': 'uploading' })
  })

  test('A tab without room in the store sends its own files', async () => {
    const { queue, states } = stage({ room: false })
    await queue.add(COLLECTION, [file('a.jpg')])
    await settled(() => expect(states()).toEqual({ 'a.jpg': 'done' }))
  })

  test('Files of another account are not touched', async () => {
    const store = memoryStore()
    await stage({ store }).queue.add(COLLECTION, [file('a.jpg')])
    for (const item of store.rows.values()) store.rows.set(item.id, { ...item, userId: 'eve' })
    const { queue } = stage({ store })
    await queue.lead()
    expect(queue.items()).toEqual([])
  })
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

test('A film that few browsers play gets another version, after all files are sent, and its bytes stay until then', async () => {
  const release = Promise.withResolvers<typeof MADE>()
  const { queue, store, transport, events, filmsOf, films } = stage({ films: { make: vi.fn(() => release.promise) } })
  await queue.lead()
  await queue.add(COLLECTION, [clip('a.mov'), file('b.jpg')])
  await settled(() => expect(filmsOf()).toEqual(['making', undefined]))
  expect(events.at(-1)).toMatchObject({ kind: 'settled', added: ['image/jpeg', 'image/jpeg'] })
  expect(await store.items()).toMatchObject([{ name: 'a.mov', state: 'done', film: { state: 'making', starts: 1 } }])
  queue.dismiss()
  release.resolve(MADE)
  await settled(() => expect(filmsOf()).toEqual([undefined]))
  expect(queue.items()).toMatchObject([{ name: 'a.mov', state: 'done', message: 'Added, with a version that plays everywhere' }])
  expect(transport.sendFilm).toHaveBeenCalledTimes(1)
  expect(events.at(-1)).toMatchObject({ kind: 'filmed', asset: { renditions: ['film'] } })
  expect(await store.items()).toEqual([])
  expect(films.remove).toHaveBeenCalled()
})

test('A version under way is begun again after a reload, and one that is made is only sent', async () => {
  const store = memoryStore()
  const hanging = stage({ store, films: { make: () => new Promise(() => {}) } })
  await hanging.queue.lead()
  await hanging.queue.add(COLLECTION, [clip('a.mov')])
  await settled(() => expect(hanging.filmsOf()).toEqual(['making']))
  hanging.queue.stop()
  const offline = stage({ store, transport: { sendFilm: vi.fn(() => Promise.reject(new Refusal('offline'))) } })
  await offline.queue.lead()
  await settled(() =>
    expect(offline.queue.items()).toMatchObject([{ film: { state: 'waiting', made: MADE, retryAt: expect.any(Number) } }]),
  )
  expect(offline.films.keepOnly).toHaveBeenCalledWith([offline.queue.items()[0]?.id])
  offline.queue.stop()
  const again = stage({ store })
  await again.queue.lead()
  await settled(() => expect(again.filmsOf()).toEqual([undefined]))
  expect(again.films.make).not.toHaveBeenCalled()
})

test('A version that ends the page each time is given up, until the user tries again', async () => {
  const store = memoryStore()
  for (let n = 0; n < 3; n++) {
    const { queue, filmsOf } = stage({ store, films: { make: () => new Promise(() => {}) } })
    await queue.lead()
    if (n === 0) await queue.add(COLLECTION, [clip('a.mov')])
    await settled(() => expect(filmsOf()).toEqual(['making']))
    queue.stop()
  }
  const { queue, filmsOf } = stage({ store })
  await queue.lead()
  expect(queue.items()).toMatchObject([{ state: 'done', film: { state: 'failed', message: expect.stringContaining('several times') } }])
  queue.resume()
  await settled(() => expect(filmsOf()).toEqual([undefined]))
})

test.each(['offline', 'unavailable'])('A version whose making is %s is not given up, however often that fails', async (code) => {
  const make = vi.fn(async () => MADE)
  for (let failures = 0; failures < 7; failures++) make.mockRejectedValueOnce(new Refusal(code))
  const { queue, states, filmsOf, pass } = stage({ films: { make } })
  await queue.lead()
  await queue.add(COLLECTION, [clip('a.mov')])
  for (let calls = 1; calls <= 7; calls++) {
    await settled(() => expect(make).toHaveBeenCalledTimes(calls))
    await settled(() => expect(filmsOf()).toEqual(['waiting']))
    pass(600_000)
  }
  await settled(() => expect([states(), filmsOf()]).toEqual([{ 'a.mov': 'done' }, [undefined]]))
})

test('A version whose parts are refused each time is given up', async () => {
  const { queue, transport, filmsOf, pass } = stage({ transport: { sendFilm: vi.fn(() => Promise.reject(new Refusal('conflict'))) } })
  await queue.lead()
  await queue.add(COLLECTION, [clip('a.mov')])
  await settled(() => {
    pass(31_000)
    expect(filmsOf()).toEqual(['failed'])
  })
  expect(transport.sendFilm).toHaveBeenCalledTimes(6)
})

test('A version that cannot be made says why until it is dismissed, and the video is there', async () => {
  const make = () => Promise.reject(new Refusal('no-film'))
  const { queue, store, transport, filmsOf } = stage({ films: { make } })
  await queue.lead()
  await queue.add(COLLECTION, [clip('a.mov')])
  await settled(() => expect(filmsOf()).toEqual(['failed']))
  expect(transport.discard).not.toHaveBeenCalled()
  queue.dismiss()
  expect(queue.items()).toEqual([])
  await settled(async () => expect(await store.items()).toEqual([]))
})

test('A version can be cancelled, and is not made where it is turned off', async () => {
  const { queue, store, films, filmsOf } = stage({ films: { make: vi.fn(() => new Promise<never>(() => {})) } })
  await queue.lead()
  await queue.add(COLLECTION, [clip('a.mov')])
  await settled(() => expect(filmsOf()).toEqual(['making']))
  queue.cancel(queue.items()[0]?.id)
  expect(queue.items()).toMatchObject([{ state: 'done', film: undefined }])
  await settled(async () => expect(await store.items()).toEqual([]))
  expect(films.make).toHaveBeenCalledTimes(1)

  const off = stage({ films: { wanted: () => false } })
  await off.queue.lead()
  await off.queue.add(COLLECTION, [clip('a.mov')])
  await settled(() => expect(off.states()).toEqual({ 'a.mov': 'done' }))
  expect(off.films.make).not.toHaveBeenCalled()
})

test('A version that is cancelled half-sent is discarded on the server, also if its row comes late', async () => {
  const discardFilm = vi.fn(() => Promise.reject(new Refusal('not_found')))
  const { queue, store, transport, pass, filmsOf } = stage({ transport: { sendFilm: () => new Promise(() => {}), discardFilm } })
  await queue.lead()
  await queue.add(COLLECTION, [clip('a.mov')])
  await settled(() => expect(filmsOf()).toEqual(['sending']))
  const [item] = queue.items()
  queue.cancel(item?.id)
  expect(queue.items()).toMatchObject([{ state: 'done', film: undefined }])
  await settled(async () => expect(await store.items()).toEqual([]))
  pass(5_000)
  expect(discardFilm.mock.calls).toEqual([[item?.id], [item?.id]])
  expect(transport.discard).not.toHaveBeenCalled()
})

test('A version that could not be sent is discarded with its row', async () => {
  const { queue, transport, filmsOf } = stage({ transport: { sendFilm: () => Promise.reject(new Refusal('quota_exceeded')) } })
  await queue.lead()
  await queue.add(COLLECTION, [clip('a.mov')])
  await settled(() => expect(filmsOf()).toEqual(['failed']))
  queue.dismiss()
  expect(transport.discardFilm).toHaveBeenCalledTimes(1)
})

test('A version is made on a metered connection, and sent once that is none', async () => {
  let metered = true
  const { queue, transport, pass, filmsOf } = stage({ films: { mayBeSent: () => !metered } })
  await queue.lead()
  await queue.add(COLLECTION, [clip('a.mov')])
  const waits = { film: { state: 'waiting', made: MADE, message: 'A version that plays everywhere is sent once data costs nothing' } }
  await settled(() => expect(queue.items()).toMatchObject([waits]))
  pass(60_000)
  await settled(() => expect(queue.items()).toMatchObject([waits]))
  expect(transport.sendFilm).not.toHaveBeenCalled()
  metered = false
  pass(60_000)
  await settled(() => expect(filmsOf()).toEqual([undefined]))
  expect(transport.sendFilm).toHaveBeenCalledTimes(1)
})

test('A version that is being sent stops on a connection that becomes metered', async () => {
  let metered = false
  const sendFilm = vi.fn<UploadTransport['sendFilm']>((_id, _film, _made, { onSent, signal }) => {
    metered = true
    onSent(1)
    expect(signal.aborted).toBe(true)
    return new Promise(() => {})
  })
  const { queue, filmsOf } = stage({ films: { mayBeSent: () => !metered }, transport: { sendFilm } })
  await queue.lead()
  await queue.add(COLLECTION, [clip('a.mov')])
  await settled(() => expect([sendFilm.mock.calls.length, filmsOf()]).toEqual([1, ['waiting']]))
})

test('Sending a version waits for files that are added meanwhile', async () => {
  const sendFilm = vi.fn((id: string) => (sendFilm.mock.calls.length === 1 ? new Promise<Asset>(() => {}) : Promise.resolve(asset(id))))
  const { queue, filmsOf, states } = stage({ transport: { sendFilm } })
  await queue.lead()
  await queue.add(COLLECTION, [clip('a.mov')])
  await settled(() => expect(filmsOf()).toEqual(['sending']))
  await queue.add(COLLECTION, [file('b.jpg')])
  await settled(() => expect([states()['b.jpg'], filmsOf()]).toEqual(['done', [undefined, undefined]]))
  expect(sendFilm).toHaveBeenCalledTimes(2)
})
