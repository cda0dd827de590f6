import { expect, test } from 'vitest'
import { Nonces } from './nonces.ts'

function storage() {
  const entries = new Map<string, unknown>()
  return {
    entries,
    get: async (key: string) => entries.get(key),
    put: async (key: string, value: unknown) => void entries.set(key, value),
    delete: async (keys: string[]) => keys.filter((key) => entries.delete(key)).length,
    list: async ({ prefix }: { prefix: string }) => new Map([...entries].filter(([key]) => key.startsWith(prefix))),
  }
}

function nonces() {
  const disk = storage()
  return { disk, used: new Nonces(disk as unknown as DurableObjectStorage) }
}

test('a nonce can be used only once', async () => {
  const { used } = nonces()
  expect([await used.use('a', 10), await used.use('a', 10), await used.use('b', 10)]).toEqual([true, false, true])
})

test('forget deletes only expired nonces, and no other data of the room', async () => {
  const { disk, used } = nonces()
  disk.entries.set('memory', {})
  for (let i = 1; i <= 300; i++) await used.use(`n${i}`, i)
  expect(await used.forget(200)).toBe(201)
  expect(disk.entries.size).toBe(101)
  expect(await used.forget(300)).toBeNull()
  expect([...disk.entries.keys()]).toEqual(['memory'])
})
