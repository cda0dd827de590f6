import { type OpenDBCallbacks, openDB } from 'idb'
import { afterEach, expect, test, vi } from 'vitest'
import { accountDb } from './account-db.ts'

vi.mock('idb', () => ({ openDB: vi.fn() }))

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.mocked(openDB).mockReset()
})

const LOST = new DOMException('Connection to Indexed Database server lost', 'UnknownError')
const database = (rows: string[]) => ({ rows, close: vi.fn() })

/** The answers of the browser to each opening of the database, in order. */
function answers(...given: (object | Error | 'never')[]) {
  const callbacks: OpenDBCallbacks<unknown>[] = []
  const open = async (_name: string, _version?: number, options?: OpenDBCallbacks<unknown>) => {
    callbacks.push(options ?? {})
    const answer = given[callbacks.length - 1]
    if (answer === 'never') return new Promise(() => {})
    if (answer instanceof Error || !answer) throw answer
    return answer
  }
  vi.mocked(openDB).mockImplementation(open as unknown as typeof openDB)
  return callbacks
}

const rowsOf = async (db: unknown) => (db as { rows: string[] }).rows

test('Rows are there again after the browser has closed the database and could not open it once', async () => {
  const [first] = [answers(database(['a change']), LOST, database(['a change']))]
  const device = accountDb('cairn-outbox-1', () => {})
  expect(await device.use(rowsOf)).toEqual(['a change'])
  first[0]?.terminated?.()
  // Not null, which would say that nothing is stored.
  await expect(device.use(rowsOf)).rejects.toBe(LOST)
  expect(await device.use(rowsOf)).toEqual(['a change'])
})

test('A browser that forbids storage is asked again by the next call', async () => {
  answers(LOST, database(['a change']))
  const device = accountDb('cairn-outbox-1', () => {})
  expect(await device.use(rowsOf)).toBeNull()
  expect(await device.use(rowsOf)).toEqual(['a change'])
})

test.each(['InvalidStateError', 'UnknownError'])('Work that fails with %s is done again on a new connection', async (name) => {
  answers(database([]), database(['a change']))
  const device = accountDb('cairn-outbox-1', () => {})
  const work = async (db: unknown) => {
    const rows = await rowsOf(db)
    if (rows.length === 0) throw new DOMException('The connection is closed', name)
    return rows
  }
  expect(await device.use(work)).toEqual(['a change'])
})

test('No call waits for ever for a database that the browser does not open', async () => {
  vi.useFakeTimers()
  answers('never')
  const device = accountDb('cairn-outbox-1', () => {})
  const [first, second] = [device.use(rowsOf), device.use(rowsOf)]
  await vi.runAllTimersAsync()
  expect([await first, await second, await device.use(rowsOf)]).toEqual([null, null, null])
  expect(openDB).toHaveBeenCalledOnce()
})

test('A copy of what the server has is made anew where it is damaged or has other stores, and what waits to be sent is not', async () => {
  const deleteDatabase = vi.fn()
  vi.stubGlobal('indexedDB', { deleteDatabase })
  const isUsable = (db: unknown) => (db as { rows: string[] }).rows.length > 0
  for (const bad of [database([]), LOST]) {
    answers(bad, database(['a photo']))
    expect(await accountDb('cairn-content-1', () => {}, isUsable).use(rowsOf)).toEqual(['a photo'])
  }
  expect(deleteDatabase.mock.calls).toEqual([['cairn-content-1'], ['cairn-content-1']])
  answers(LOST)
  expect(await accountDb('cairn-outbox-1', () => {}).use(rowsOf)).toBeNull()
  expect(deleteDatabase).toHaveBeenCalledTimes(2)
})
