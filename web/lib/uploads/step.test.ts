import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newItem } from './items.ts'
import { EMPTY_QUEUE, type QueueEffect, type QueueEvent, type QueueState, stepQueue } from './step.ts'
import type { PreparedMeta, UploadItem } from './types.ts'

const COLLECTION = '01890000-0000-7000-8000-000000000001'
const item = (name: string): UploadItem => newItem('ada', COLLECTION, new File(['x'], name), 0, { id: name })
const meta = (checksum: string) => ({ checksum, type: 'image/jpeg' }) as PreparedMeta

const NAMES = Array.from({ length: 14 }, (_, i) => `${i}`)

test('In any sequence of events, few files run at once, none starts in an outage, and outcomes are announced at the end', () => {
  const id = fc.constantFrom(...NAMES)
  const event = fc.oneof(
    fc.array(id, { maxLength: 6 }).map((names): QueueEvent => ({ type: 'added', items: [...new Set(names)].map(item) })),
    fc.constantFrom<QueueEvent>(
      { type: 'leading' },
      { type: 'following' },
      { type: 'check' },
      { type: 'online' },
      { type: 'dismiss' },
      { type: 'dismissArrived' },
      { type: 'resume' },
    ),
    fc.record({ type: fc.constant('stored' as const), id, saved: fc.boolean() }),
    fc.record({ type: fc.constant('measured' as const), id, meta: fc.constantFrom('a', 'b', 'c').map(meta) }),
    fc.record({ type: fc.constant('prepared' as const), id, note: fc.constant(null) }),
    fc.record({ type: fc.constantFrom('begun' as const, 'finishing' as const), id }),
    fc.record({ type: fc.constantFrom('pause' as const, 'resume' as const, 'cancel' as const), id }),
    fc.record({ type: fc.constant('arrived' as const), id, asset: fc.constant({ id: 'asset' } as never), duplicate: fc.boolean() }),
    fc.record({
      ...{ type: fc.constant('failed' as const), id },
      failure: fc.record({
        code: fc.constantFrom('offline', 'unavailable', 'internal', 'invalid'),
        message: fc.constant('No'),
        retryAfter: fc.constant(null),
      }),
    }),
  )
  const property = fc.property(fc.array(fc.tuple(event, fc.nat(5_000)), { maxLength: 60 }), (events) => {
    let state = EMPTY_QUEUE
    let now = 1_000
    for (const [happened, pass] of events) {
      now += pass
      // Progress events only occur for running items.
      if (!isPossible(state, happened)) continue
      const before = JSON.stringify([...state.items])
      const step = stepQueue(state, happened, { now, random: 0 })
      expect(JSON.stringify([...state.items])).toBe(before)
      state = step.state
      const inState = (...states: UploadItem['state'][]) => [...state.items.values()].filter((one) => states.includes(one.state)).length
      expect(inState('preparing')).toBeLessThanOrEqual(2)
      expect(inState('uploading', 'finishing')).toBeLessThanOrEqual(3)
      if (begins(step.effects)) expect(state.outage.until).toBeLessThanOrEqual(now)
      const announced = step.effects.some((effect) => effect.type === 'announce' && effect.event.kind === 'settled')
      if (announced) expect(state.batch.size).toBe(0)
      if (state.wakeAt !== null) expect(state.wakeAt).toBeGreaterThan(now)
    }
  })
  fc.assert(property, { numRuns: 300 })
})

function begins(effects: readonly QueueEffect[]): boolean {
  return effects.some(({ type }) => type === 'send')
}

function isPossible(state: QueueState, event: QueueEvent): boolean {
  const current = 'id' in event && event.id !== undefined ? state.items.get(event.id)?.state : undefined
  switch (event.type) {
    case 'measured':
    case 'prepared':
      return current === 'preparing'
    case 'begun':
    case 'finishing':
      return current === 'uploading'
    case 'arrived':
      return current === 'uploading' || current === 'finishing'
    case 'failed':
      return current === 'preparing' || current === 'uploading' || current === 'finishing'
    default:
      return true
  }
}
