import { beforeEach, expect, test, vi } from 'vitest'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { newId } from '../../../contract/ids.ts'
import { begun, create, edit, type Fate, memoryStore, shift, stage, trash } from '../../../tests/support/outbox-device.ts'
import { ApiError, call } from '../api.ts'

vi.mock('../api.ts', async (original) => ({ ...(await original<typeof import('../api.ts')>()), call: vi.fn() }))

beforeEach(() => {
  vi.mocked(call).mockReset()
})

test('A change made offline is shown at once, waits, and is sent in order', async () => {
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

test('A lost response creates no second post and shifts no date twice', async () => {
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

test('A change about to be sent at sign-out is not sent for the next user, and waits', async () => {
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

test('An edit whose response was lost is recognised as done', async () => {
  const s = await begun()
  s.fates.push('lost')
  await s.act(edit(s.row, { title: 'Mine' }))
  await s.pass()
  expect(s.events.filter(({ kind }) => kind === 'stuck')).toEqual([])
  expect(s.server.row(s.id)).toMatchObject({ title: 'Mine', version: s.row.version + 1 })
})

test('Edits of different fields merge, edits of the same field conflict', async () => {
  const s = await begun()
  s.server.write({ ...s.row, title: 'Theirs' })
  await s.act(edit(s.row, { body: '<p>Mine</p>' }))
  expect(s.server.row(s.id)).toMatchObject({ title: 'Theirs', body: '<p>Mine</p>' })
  await s.act(edit(s.row, { title: 'Mine' }))
  const [stuck] = s.queue().operations()
  expect(stuck).toMatchObject({ state: 'conflict', theirs: { title: 'Theirs' } })
  expect(s.screen().find(({ id }) => id === s.id)?.title).toBe('Mine')
})

test('A change that waits for the user blocks the same item only', async () => {
  const s = await begun()
  s.server.write({ ...s.row, title: 'Theirs' })
  await s.act(edit(s.row, { title: 'Mine' }))
  await s.act(trash(s.id))
  const other = newId()
  await s.act(create(other, 'Other'))
  expect(s.server.row(other)?.title).toBe('Other')
  expect(s.server.row(s.id)?.title).toBe('Theirs')
})

test('A server error is retried six times, then left to the user', async () => {
  const s = await begun()
  vi.mocked(call).mockRejectedValue(new ApiError('internal', 'Broken'))
  await s.act(create(newId(), 'Stuck'))
  for (let i = 0; i < 6; i++) await s.pass()
  expect(s.queue().operations()).toMatchObject([{ state: 'refused', problem: { code: 'internal' } }])
})

test('A busy server is retried without a limit', async () => {
  const s = await begun()
  s.fates.push(...Array<Fate>(12).fill('busy'))
  const id = newId()
  await s.act(create(id, 'Patient'))
  for (let i = 0; i < 12; i++) await s.pass()
  expect(s.server.row(id)?.title).toBe('Patient')
})

test('A bulk trash succeeds if another user has already trashed some of the items', async () => {
  const s = await begun()
  const other = newId()
  await s.act(create(other))
  await s.refresh()
  s.server.answer({ method: 'DELETE', path: '/api/post/bulk' } as Endpoint, { body: { ids: [other] } })
  await s.act({ kind: 'trash', item: 'post', ids: [s.id, other] })
  expect(s.server.list()).toEqual([])
})

test('A change that was never sent is dropped when it is taken back', async () => {
  const s = await begun()
  s.setOnline(false)
  const operation = await s.act(trash(s.id))
  expect(s.screen()).toEqual([])
  expect(await s.queue().takeBack(operation)).toBe('dropped')
  expect(s.screen()).toHaveLength(1)
})

test('A change that may have been sent is marked when it is taken back, and hidden at once', async () => {
  const s = await begun()
  s.fates.push('unreached')
  const operation = await s.act(trash(s.id))
  expect(await s.queue().takeBack(operation)).toBe('marked')
  expect(s.screen()).toHaveLength(1)
  await s.pass()
  expect(s.events.at(-1)).toMatchObject({ kind: 'done', operation: { undone: true } })
})

test('A change whose response was lost may still be there after the server has refused to be asked so often', async () => {
  const s = await begun()
  s.fates.push('lost', 'limited')
  const operation = await s.act(edit(s.row, { title: 'Mine' }))
  await s.pass()
  expect(await s.queue().takeBack(operation)).toBe('marked')
  await s.pass()
  expect(s.events.at(-1)).toMatchObject({ kind: 'done', operation: { undone: true } })
})

test('A shift of dates whose response was lost is not made twice when it is tried again after a refusal', async () => {
  const s = await begun()
  s.fates.push('lost', ...Array<Fate>(6).fill('broken'))
  const operation = await s.act(shift(s.row, 1))
  for (let i = 0; i < 8 && s.queue().operations()[0]?.state === 'waiting'; i++) await s.pass()
  expect(s.queue().operations()).toMatchObject([{ state: 'refused' }])
  await s.queue().retry(operation)
  await s.flush()
  expect(s.server.row(s.id)?.date).toMatch(/^2025-01-02/)
})

test('A change that may have been sent stays where whoever takes it back makes the opposite one instead', async () => {
  const s = await begun()
  s.fates.push('unreached')
  const operation = await s.act(trash(s.id))
  expect(await s.queue().takeBack(operation, false)).toBe('gone')
  await s.pass()
  expect(s.events.at(-1)).toMatchObject({ kind: 'done', operation: { undone: false } })
})

test('A change that is taken back and then refused is removed and blocks nothing', async () => {
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

test('A change taken back while its response is being recorded has the id that undoes it', async () => {
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

test('A device that cannot write for a while delays changes, and loses none', async () => {
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

test('Without room on the device, a tab keeps its change in memory and sends it', async () => {
  const s = stage(memoryStore(false))
  await s.queue().reload()
  s.setOnline(false)
  await s.act(create(newId(), 'Roomless'))
  expect(s.events).toEqual([{ kind: 'memory' }])
  expect(s.queue().wouldLoseData()).toBe(true)
  s.setOnline(true)
  s.queue().retryNow()
  await s.flush()
  expect(s.server.list().map(({ title }) => title)).toEqual(['Roomless'])
  expect(s.queue().wouldLoseData()).toBe(false)
})

test('Changes cleared by the browser while the app is open are stored again, and sent', async () => {
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

test('A device that fails to read and write blocks no change in memory, and hides none', async () => {
  const store = memoryStore()
  const s = await begun(store)
  s.setOnline(false)
  const [kept, inMemory] = [newId(), newId()]
  await s.act(create(kept, 'On the device'))
  const working = { ...store }
  const fails = async () => {
    throw new DOMException('Connection to Indexed Database server lost', 'UnknownError')
  }
  Object.assign(store, { all: fails, change: fails, add: async () => null })
  await s.act(create(inMemory, 'In memory'))
  s.setOnline(true)
  s.queue().retryNow()
  await s.flush()
  expect(s.server.row(inMemory)?.title).toBe('In memory')
  await s.queue().reload()
  expect(s.screen().map(({ title }) => title)).toEqual(expect.arrayContaining(['On the device', 'In memory']))
  Object.assign(store, working)
  await s.pass()
  expect(s.server.row(kept)?.title).toBe('On the device')
})
