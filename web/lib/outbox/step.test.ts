import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '../../../contract/ids.ts'
import { EMPTY_QUEUE, type QueueEvent, type QueueState, stepQueue } from './step.ts'
import type { Operation } from './types.ts'

const IDS = Array.from({ length: 3 }, () => newId())

/** An operation on the item at index `item`. */
function operation(item: number, state: Operation['state'] = 'waiting'): Operation {
  return {
    ...{ id: newId(), userId: 'ada', collectionId: newId(), seq: 1, title: 'It', state, uncertain: false, undone: false, attempts: 0 },
    ...{ problem: null, theirs: null, changeId: null, action: { kind: 'trash', item: 'post', ids: [IDS[item] ?? ''] } },
  }
}

const MOMENT = { now: 100_000, random: 0, online: true }
const LEADING: QueueState = { ...EMPTY_QUEUE, leading: true }

test('A change that waits for the user blocks the same item only', () => {
  const [stuck, behind, free] = [operation(0, 'conflict'), operation(0), operation(1)]
  expect(stepQueue({ ...LEADING, stored: [stuck, behind, free] }, { type: 'check' }, MOMENT).send).toBe(free.id)
  expect(stepQueue({ ...LEADING, stored: [stuck, behind] }, { type: 'check' }, MOMENT).send).toBeNull()
})

test('A tab that does not lead sends only operations in its own memory', () => {
  const [stored, local] = [operation(0), operation(1)]
  expect(stepQueue({ ...EMPTY_QUEUE, stored: [stored] }, { type: 'check' }, MOMENT).send).toBeNull()
  expect(stepQueue({ ...EMPTY_QUEUE, stored: [stored], local: [local] }, { type: 'check' }, MOMENT).send).toBe(local.id)
})

test('After a failure the queue waits, and sets the time to continue', () => {
  const waiting = operation(0)
  const failure = { code: 'offline', message: '', fields: {}, retryAfter: null, theirs: null }
  const failed = stepQueue({ ...LEADING, stored: [waiting], sending: true }, { type: 'failed', operation: waiting, failure }, MOMENT)
  const ended = stepQueue(failed.state, { type: 'ended', written: true }, MOMENT)
  expect(ended).toMatchObject({ send: null, state: { wakeAt: MOMENT.now + 1_000 } })
  expect(stepQueue(ended.state, { type: 'check' }, { ...MOMENT, now: MOMENT.now + 1_000 }).send).toBe(waiting.id)
})

test('In any sequence of events, one operation is sent at a time, never offline, after the end or before its time', () => {
  const code = fc.constantFrom('offline', 'internal', 'invalid', 'rate_limited')
  const event = fc.oneof(
    fc.constantFrom<QueueEvent>(
      { type: 'leading', leads: true },
      { type: 'leading', leads: false },
      { type: 'check' },
      { type: 'retryNow' },
      { type: 'answered' },
      { type: 'stopped' },
    ),
    fc.boolean().map((written): QueueEvent => ({ type: 'ended', written })),
    fc.array(fc.nat(2), { maxLength: 4 }).map((items): QueueEvent => ({ type: 'loaded', stored: items.map((item) => operation(item)) })),
    fc
      .array(fc.nat(2), { maxLength: 2 })
      .map((items): QueueEvent => ({ type: 'localChanged', local: items.map((item) => operation(item)) })),
    fc.record({ code, retryAfter: fc.option(fc.nat(60)) }).map(({ code, retryAfter }): QueueEvent => {
      return { type: 'failed', operation: operation(0), failure: { code, message: '', fields: {}, retryAfter, theirs: null } }
    }),
  )
  const moment = fc.record({ pass: fc.nat(20_000), random: fc.double({ min: 0, max: 1, noNaN: true }), online: fc.boolean() })
  const property = fc.property(fc.array(fc.tuple(event, moment), { maxLength: 40 }), (events) => {
    let state = EMPTY_QUEUE
    let now = 1_000
    for (const [happened, { pass, random, online }] of events) {
      now += pass
      const before = Object.freeze(state)
      const step = stepQueue(before, happened, { now, random, online })
      if (step.send) {
        expect(online && !before.stopped && step.state.sending).toBe(true)
        expect(!before.sending || happened.type === 'ended').toBe(true)
        expect(happened.type === 'retryNow' || before.waitUntil <= now).toBe(true)
        const own = before.local.some(({ id }) => id === step.send)
        expect(own || before.leading).toBe(true)
      }
      if (happened.type === 'check' && step.state.wakeAt !== null) expect(step.state.wakeAt).toBeGreaterThan(now)
      state = step.state
    }
  })
  fc.assert(property)
})
