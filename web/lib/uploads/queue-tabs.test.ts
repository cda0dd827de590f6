import { expect, test, vi } from 'vitest'
import { COLLECTION, file, memoryStore, settled, stage } from '../../../tests/support/upload-stage.ts'

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
