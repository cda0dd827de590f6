import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import type { Db } from '../db/client.ts'
import type { SeenImage } from './images.ts'
import { PictureAccess, RecentValues } from './picture-access.ts'

const SECOND = 1_000
const picture = (id: string, version = 1) => ({ id, version }) as SeenImage

let now = 0
/** Assets that the user sees, with their versions, in the order of the list. */
let seen: Map<string, number>
/** Reads of the database, each with the number of neighbours. */
let reads: [id: string, neighbours: number][]
let pictures: PictureAccess
beforeEach(() => {
  now = 1_000_000
  seen = new Map(['a', 'b', 'c'].map((id) => [id, 1]))
  reads = []
  pictures = new PictureAccess(
    async (_db, _user, { id, neighbours }) => {
      reads.push([id, neighbours])
      if (!seen.has(id)) return []
      return [...seen].filter(([other]) => other === id || neighbours > 0).map(([other, version]) => picture(other, version))
    },
    () => now,
  )
})

const ask = (id: string, { version = '1' as string | null, access = 'phone', user = 'bob' } = {}) =>
  pictures.find({ db: {} as Db, user: { id: user }, access }, id, version ?? undefined)

test('A picture and its neighbours are asked for once in 10 s', async () => {
  for (const id of ['a', 'a', 'b', 'c']) expect(await ask(id)).toEqual(picture(id))
  expect(reads).toHaveLength(1)
  now += 10 * SECOND
  expect(await ask('b')).toEqual(picture('b'))
  expect(reads).toHaveLength(2)
})

test.each(['revoked', 'unlinked', 'in the trash', 'of a collection that the user has left'])(
  'A picture that is %s is served for less than 10 s, then refused',
  async () => {
    await ask('a')
    seen.clear()
    now += 10 * SECOND - 1
    expect(await ask('a')).toEqual(picture('a'))
    now += 1
    expect(await ask('a')).toBeNull()
    expect(await ask('b')).toBeNull()
  },
)

test('The 10 s begin before the database is asked', async () => {
  const slow = new PictureAccess(
    async () => {
      now += 4 * SECOND
      return [picture('a')]
    },
    () => now,
  )
  const caller = { db: {} as Db, user: { id: 'bob' }, access: 'phone' }
  const asked = now
  await slow.find(caller, 'a', '1')
  now = asked + 10 * SECOND
  await slow.find(caller, 'a', '1')
  expect(now).toBe(asked + 14 * SECOND)
})

test('Another version, or none, asks the database', async () => {
  await ask('a')
  seen.set('a', 2)
  expect(await ask('a', { version: '2' })).toEqual(picture('a', 2))
  expect(await ask('a', { version: null })).toEqual(picture('a', 2))
  expect(await ask('a', { version: '1' })).toEqual(picture('a', 2))
  expect(reads).toHaveLength(4)
})

test('A refusal is not kept, and ends what was kept', async () => {
  await ask('a')
  seen.delete('a')
  expect(await ask('a', { version: null })).toBeNull()
  expect(await ask('a')).toBeNull()
  seen.set('a', 1)
  expect(await ask('a')).toEqual(picture('a'))
})

test('Nothing is shared with another session or user', async () => {
  await ask('a')
  seen.clear()
  expect(await ask('a', { access: 'desk' })).toBeNull()
  expect(await ask('a', { user: 'eve' })).toBeNull()
  expect(await ask('a')).toEqual(picture('a'))
})

test('A session that signs out is forgotten, and no other', async () => {
  for (const access of ['phone', 'desk']) await ask('a', { access })
  pictures.forget('phone')
  seen.clear()
  expect(await ask('a')).toBeNull()
  expect(await ask('a', { access: 'desk' })).toEqual(picture('a'))
})

test('Of requests at the same time, one reads the neighbours; without a version, none does', async () => {
  await Promise.all([ask('a'), ask('b'), ask('c', { access: 'desk' })])
  await ask('b', { version: null })
  expect(reads.map(([, neighbours]) => neighbours > 0)).toEqual([true, false, true, false])
})

test('After a failure the next request reads the neighbours again', async () => {
  let fails = true
  const failing = new PictureAccess(
    async (_db, _user, { id, neighbours }) => {
      reads.push([id, neighbours])
      if (fails) throw new Error('No database')
      return []
    },
    () => now,
  )
  const caller = { db: {} as Db, user: { id: 'bob' }, access: 'phone' }
  await expect(failing.find(caller, 'a', '1')).rejects.toThrow()
  fails = false
  expect(await failing.find(caller, 'a', '1')).toBeNull()
  expect(reads.every(([, neighbours]) => neighbours > 0)).toBe(true)
})

test('Whatever is set, got and forgotten: no value is older than its limit, of another key, or above the size', () => {
  const key = fc.constantFrom('phone a', 'phone b', 'desk a', 'desk b', 'phones a')
  const step = fc.oneof(
    fc.record({ set: key, ago: fc.nat(12) }),
    fc.record({ get: key }),
    fc.record({ forget: fc.constantFrom('phone ', 'desk ') }),
    fc.record({ wait: fc.nat(6) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (steps, maxSize) => {
      const recent = new RecentValues<{ key: string; since: number; forgotten: boolean }>({ maxAge: 10, maxSize })
      const all: { key: string; since: number; forgotten: boolean }[] = []
      let clock = 100
      for (const each of steps) {
        if ('wait' in each) clock += each.wait
        else if ('set' in each) {
          const value = { key: each.set, since: clock - each.ago, forgotten: false }
          all.push(value)
          recent.set(each.set, value, value.since)
          expect(recent.get(each.set, clock)).toBe(each.ago < 10 ? value : undefined)
        } else if ('forget' in each) {
          recent.forget(each.forget)
          for (const value of all) if (value.key.startsWith(each.forget)) value.forgotten = true
        } else {
          const found = recent.get(each.get, clock)
          if (found) expect(found).toMatchObject({ key: each.get, forgotten: false })
          expect(clock - (found?.since ?? clock)).toBeLessThan(10)
        }
        const kept = [...new Set(all.map((value) => value.key))].filter((name) => recent.get(name, Number.NEGATIVE_INFINITY))
        expect(kept.length).toBeLessThanOrEqual(maxSize)
      }
    }),
  )
})

test('At its size, the oldest value makes room', () => {
  const recent = new RecentValues<number>({ maxAge: 10, maxSize: 2 })
  for (const [n, key] of ['a', 'b', 'a', 'c'].entries()) recent.set(key, n, 0)
  expect(['a', 'b', 'c'].map((key) => recent.get(key, 0))).toEqual([2, undefined, 3])
})
