import { expect, inject } from 'vitest'
import { countCalls } from '../support/counted-calls.ts'
import { SOON, test } from '../support/viewer.ts'
import { world } from '../support/world.ts'

test('A collection that is new to the device opens with four trips to the database: everything at once, both rooms, and the feed', async ({
  openPage,
}) => {
  const { control } = inject('stack')
  const trips = async (): Promise<number> => (await (await fetch(`${control}/served`)).json()).requests
  const kyoto = await world()
  const ada = kyoto.as('ada')
  await ada.post('/api/post', { type: 'note', title: 'Gate', collectionIds: [kyoto.collection.id] })
  // Publishes the memberships, which the world has written past the worker.
  await fetch(`${control}/scheduled`, { method: 'POST' })
  // From then on her address is known to be confirmed.
  await ada.get('/api/collections/invited')
  const { page } = await openPage({ as: ada })
  // The minute's task would be counted as well.
  await fetch(`${control}/scheduled?on=false`, { method: 'PUT' })
  const before = await trips()
  const calls = countCalls(page)
  const sockets: string[] = []
  page.on('websocket', (socket) => sockets.push(socket.url()))
  await page.goto(`/collections/timeline?c=${kyoto.collection.id}`)
  await page.getByRole('article', { name: 'Gate' }).waitFor(SOON)
  await expect.poll(() => sockets.length, SOON).toBe(2)
  await calls.settled()
  const after = await trips()
  await fetch(`${control}/scheduled?on=true`, { method: 'PUT' })
  expect(calls.made().toSorted()).toEqual(['GET /api/analytics/config', 'GET /api/bootstrap', 'GET /api/feed'])
  expect(after - before).toBe(4)
})
