import { beforeEach, expect, test, vi } from 'vitest'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { newId } from '../../../contract/ids.ts'
import { begun, create, edit, type Fate, memoryStore, shift, stage, trash } from '../../../tests/support/outbox-device.ts'
import { ApiError, call } from '../api.ts'

vi.mock('../api.ts', async (original) => ({ ...(await original<typeof import('../api.ts')>()), call: vi.fn() }))

beforeEach(() => {
  vi.mocked(call).mockReset()
})

test('what is done offline shows at once, waits, and goes out in order', async () => {
  const s = await begun()
  s.setOnline(false)
  const id = newId()
  await s.act(create(id, 'Offline'))
  const shown = s.screen().find((post) => post.id === id)
  expect(shown).toMatchObject({ title: 'Offline', body: '<p>White</p>', version: 0 })
  if (shown) await s.act(edit(shown, { title: 'Changed' }))
  expect(s.screen().map(({ title }) => title)).toEqual(expect.arrayContaining(['Changed', 'Snow']))
  await s.reload()
  expect(s.screen().map(({ title }) => title)).toEqual(expect.arrayContaining(['Changed', 'Snow']))
  expect(s.server.list()).toHaveLength(1)
  s.setOnline(true)
  s.queue().retryNow()
  await s.flush()
  expect(s.server.row(id)).toMatchObject({ title: 'Changed' })
  expect(s.queue().operations()).toEqual([])
})

test('a lost answer makes no second post, nor shifts a date twice', async () => {
  const s = await begun()
  s.fates.push('lost')
  await s.act(create(newId(), 'Once'))
  await s.pass()
  expect(s.server.list().filter(({ title }) => title === 'Once')).toHaveLength(1)
  s.fates.push('lost')
  await s.act(shift(s.row, 1))
  await s.reload()
  await s.pass()
  await s.refresh()
  expect(s.server.row(s.id)?.date).toBe('2025-01-02T10:00:00.000Z')
  expect(s.queue().operations()).toEqual([])
})

test('what was about to go when its person left is not sent under the next one, and waits', async () => {
  const s = await begun()
  s.setOnline(false)
  await s.act(create(newId(), 'Of the one who left'))
  s.setOnline(true)
  s.queue().retryNow()
  s.queue().stop()
  await s.flush()
  expect(s.server.list().map(({ title }) => title)).toEqual(['Snow'])
  await s.reload()
  expect(s.server.list().map(({ title }) => title)).toEqual(expect.arrayContaining(['Of the one who left', 'Snow']))
})

test('an edit whose answer was lost is known for what it is', async () => {
  const s = await begun()
  s.fates.push('lost')
  await s.act(edit(s.row, { title: 'Mine' }))
  await s.pass()
  expect(s.events.filter(({ kind }) => kind === 'stuck')).toEqual([])
  expect(s.server.row(s.id)).toMatchObject({ title: 'Mine', version: s.row.version + 1 })
})

test('edits of different fields meet without a question, of the same with one', async () => {
  const s = await begun()
  s.server.write({ ...s.row, title: 'Theirs' })
  await s.act(edit(s.row, { body: '<p>Mine</p>' }))
  expect(s.server.row(s.id)).toMatchObject({ title: 'Theirs', body: '<p>Mine</p>' })
  await s.act(edit(s.row, { title: 'Mine' }))
  const [stuck] = s.queue().operations()
  expect(stuck).toMatchObject({ state: 'conflict', theirs: { title: 'Theirs' } })
  expect(s.screen().find(({ id }) => id === s.id)?.title).toBe('Mine')
})

test('what waits for its person holds up the same item only', async () => {
  const s = await begun()
  s.server.write({ ...s.row, title: 'Theirs' })
  await s.act(edit(s.row, { title: 'Mine' }))
  await s.act(trash(s.id))
  const other = newId()
  await s.act(create(other, 'Other'))
  expect(s.server.row(other)?.title).toBe('Other')
  expect(s.server.row(s.id)?.title).toBe('Theirs')
})

test('an error of the server is tried again with patience, and then left to the person', async () => {
  const s = await begun()
  vi.mocked(call).mockRejectedValue(new ApiError('internal', 'Broken'))
  await s.act(create(newId(), 'Stuck'))
  for (let i = 0; i < 6; i++) await s.pass()
  expect(s.queue().operations()).toMatchObject([{ state: 'refused', problem: { code: 'internal' } }])
})

test('a busy server is asked for as long as it takes', async () => {
  const s = await begun()
  s.fates.push(...Array<Fate>(12).fill('busy'))
  const id = newId()
  await s.act(create(id, 'Patient'))
  for (let i = 0; i < 12; i++) await s.pass()
  expect(s.server.row(id)?.title).toBe('Patient')
})

test('the trash of many forgives what others took away', async () => {
  const s = await begun()
  const other = newId()
  await s.act(create(other))
  await s.refresh()
  s.server.answer({ method: 'DELETE', path: '/api/post/bulk' } as Endpoint, { body: { ids: [other] } })
  await s.act({ kind: 'trash', item: 'post', ids: [s.id, other] })
  expect(s.server.list()).toEqual([])
})

test('what never left is taken back by dropping it', async () => {
  const s = await begun()
  s.setOnline(false)
  const operation = await s.act(trash(s.id))
  expect(s.screen()).toEqual([])
  expect(await s.queue().takeBack(operation)).toBe('dropped')
  expect(s.screen()).toHaveLength(1)
})

test('what may have left is marked, and hidden at once', async () => {
  const s = await begun()
  s.fates.push('unreached')
  const operation = await s.act(trash(s.id))
  expect(await s.queue().takeBack(operation)).toBe('marked')
  expect(s.screen()).toHaveLength(1)
  await s.pass()
  expect(s.events.at(-1)).toMatchObject({ kind: 'done', operation: { undone: true } })
})

test('what was taken back and is then refused is gone, and holds up nothing', async () => {
  const s = await begun()
  s.fates.push('unreached')
  const operation = await s.act(edit(s.row, { title: 'Mine' }))
  expect(await s.queue().takeBack(operation)).toBe('marked')
  s.server.write({ ...s.row, title: 'Theirs' })
  await s.pass()
  expect(s.queue().operations()).toEqual([])
  expect(s.events.filter(({ kind }) => kind === 'stuck')).toEqual([])
  await s.act(trash(s.id))
  expect(s.server.row(s.id)).toBeUndefined()
})

test('what is taken back while its answer is being written down knows what undoes it', async () => {
  const store = memoryStore()
  const s = await begun(store)
  const { change } = store
  const takenBack: unknown[] = []
  store.change = async (id, to) => {
    const next = await change(id, to)
    if (next?.state !== 'sent' || takenBack.length > 0) return next
    takenBack.push('now')
    const outcome = await s.queue().takeBack(id)
    const { changeId } =
      s
        .queue()
        .operations()
        .find((operation) => operation.id === id) ?? {}
    takenBack.push(outcome, changeId)
    return next
  }
  await s.act(edit(s.row, { title: 'Mine' }))
  expect(takenBack).toEqual(['now', 'gone', expect.any(String)])
})

test('a device that cannot write for a while delays what waits, and loses nothing', async () => {
  const store = memoryStore()
  const s = await begun(store)
  const { change } = store
  store.change = async () => {
    throw new DOMException('No room', 'QuotaExceededError')
  }
  const id = newId()
  await s.act(create(id, 'Later'))
  expect(s.server.row(id)).toBeUndefined()
  store.change = change
  await s.pass()
  expect(s.server.row(id)?.title).toBe('Later')
})

test('where the device has no room, this tab keeps and sends it', async () => {
  const s = stage(memoryStore(false))
  await s.queue().reload()
  s.setOnline(false)
  await s.act(create(newId(), 'Roomless'))
  expect(s.events).toEqual([{ kind: 'memory' }])
  expect(s.queue().losable()).toBe(true)
  s.setOnline(true)
  s.queue().retryNow()
  await s.flush()
  expect(s.server.list().map(({ title }) => title)).toEqual(['Roomless'])
  expect(s.queue().losable()).toBe(false)
})

test('what the browser has taken away while the app was open is written down again, and sent', async () => {
  const store = memoryStore()
  const s = await begun(store)
  s.setOnline(false)
  const id = newId()
  await s.act(create(id, 'Before'))
  await store.clear()
  let cleared = true
  store.wasCleared = () => {
    const was = cleared
    cleared = false
    return was
  }
  await s.act(create(newId(), 'After'))
  await s.queue().reload()
  expect((await store.all()).map(({ action }) => action.kind === 'create' && action.post.title).toSorted()).toEqual(['After', 'Before'])
  s.setOnline(true)
  s.queue().retryNow()
  await s.flush()
  expect(s.server.list().map(({ title }) => title)).toEqual(expect.arrayContaining(['After', 'Before']))
  expect(s.queue().operations()).toEqual([])
})

test('a device that can be neither read nor written to holds up nothing that this tab has in its memory, and hides nothing', async () => {
  const store = memoryStore()
  const s = await begun(store)
  s.setOnline(false)
  const [kept, held] = [newId(), newId()]
  await s.act(create(kept, 'On the device'))
  const working = { ...store }
  const fails = async () => {
    throw new DOMException('Connection to Indexed Database server lost', 'UnknownError')
  }
  Object.assign(store, { all: fails, change: fails, add: async () => null })
  await s.act(create(held, 'In memory'))
  s.setOnline(true)
  s.queue().retryNow()
  await s.flush()
  expect(s.server.row(held)?.title).toBe('In memory')
  await s.queue().reload()
  expect(s.screen().map(({ title }) => title)).toEqual(expect.arrayContaining(['On the device', 'In memory']))
  Object.assign(store, working)
  await s.pass()
  expect(s.server.row(kept)?.title).toBe('On the device')
})
