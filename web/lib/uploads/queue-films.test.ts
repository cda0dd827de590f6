import { expect, test, vi } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import { asset, COLLECTION, clip, file, MADE, memoryStore, Refusal, settled, stage } from '../../../tests/support/upload-stage.ts'
import type { UploadTransport } from './types.ts'

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
  const waits = {
    film: { state: 'waiting', made: MADE, message: 'A version that plays everywhere will be sent once the connection is not metered' },
  }
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
