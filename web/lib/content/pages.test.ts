import { expect, test } from 'vitest'
import { collectPages } from './pages.ts'
import type { Page } from './source.ts'

const page = (rows: number[], nextCursor: string | null): Page<number> => ({ rows, deleted: [], nextCursor, revision: 0 })

/** The events while three pages are collected, in order. The collection is no longer current once `stop` is true for the events so far. */
async function collected(stop: (events: string[]) => boolean = () => false): Promise<string[]> {
  const events: string[] = []
  const pages: Record<string, Page<number>> = { a: page([1], 'b'), b: page([2, 3], 'c'), c: page([4], null) }
  await collectPages(
    'a',
    async (cursor) => {
      events.push(`asked ${cursor}`)
      return pages[cursor] ?? page([], null)
    },
    { isCurrent: () => !stop(events), existing: () => 0, put: (rows) => void events.push(`put ${rows}`) },
  )
  return events
}

test('Each page is asked for before the rows of the one before it are added', async () => {
  expect(await collected()).toEqual(['asked a', 'asked b', 'put 1', 'asked c', 'put 2,3', 'put 4'])
})

test('No page is asked for once the content is another', async () => {
  expect(await collected((events) => events.includes('put 1'))).toEqual(['asked a', 'asked b', 'put 1', 'put 2,3'])
  expect(await collected(() => true)).toEqual([])
})

test('A page that fails ends the collecting', async () => {
  const failing = collectPages('a', (cursor) => (cursor === 'a' ? Promise.resolve(page([1], 'b')) : Promise.reject(new Error('offline'))), {
    isCurrent: () => true,
    existing: () => 0,
    put: () => {},
  })
  await expect(failing).rejects.toThrow('offline')
})
