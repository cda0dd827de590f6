import { BACK_OFF } from '../../../contract/limits.ts'
import { type Moment, nextAttempt } from '../back-off.ts'
import { type Action, itemsOf, type Operation, type Problem, type Rows, type SendResult } from './types.ts'

/** Attempts at an operation that fails on the server before the user is asked. Failures while offline or rate-limited do not count. */
const MAX_ATTEMPTS = 6

const TRANSIENT = ['offline', 'unavailable', 'rate_limited', 'unauthenticated']
export const SERVER_FAULTS = ['internal', 'unreadable']

/** A failed call. `retryAfter` in seconds; `theirs` is the row that an edit conflicts with. */
export interface OutboxFailure extends Problem {
  retryAfter: number | null
  theirs: Operation['theirs']
}

/** The queue as one tab sees it. Times in milliseconds on any clock. */
export interface QueueState {
  /** Stored on the device, for all tabs. */
  stored: readonly Operation[]
  /** Only in the memory of this tab, because the device has no room: only this tab can send it. */
  local: readonly Operation[]
  leading: boolean
  sending: boolean
  stopped: boolean
  failures: number
  waitUntil: number
  /** The device could not be written to; until then its operations are not sent. */
  unwritableUntil: number
  /** Time of the next timer event. */
  wakeAt: number | null
}

export type QueueEvent =
  | { type: 'loaded'; stored: readonly Operation[] }
  | { type: 'localChanged'; local: readonly Operation[] }
  /** This tab sends for all tabs from now on. */
  | { type: 'leading'; leads: boolean }
  | { type: 'check' }
  /** The network or the session may be back. */
  | { type: 'retryNow' }
  | { type: 'answered' }
  | { type: 'failed'; operation: Operation; failure: OutboxFailure }
  /** The attempt is over. Unless `written`, the device could not record the outcome. */
  | { type: 'ended'; written: boolean }
  | { type: 'stopped' }

/** `send` is the id of the operation to send now. */
export interface Step {
  state: QueueState
  send: string | null
}

export const EMPTY_QUEUE: QueueState = {
  stored: [],
  local: [],
  leading: false,
  sending: false,
  stopped: false,
  failures: 0,
  waitUntil: 0,
  unwritableUntil: 0,
  wakeAt: null,
}

/** The next state of the queue, and the operation to send. Pure: no clock, storage or network. */
export function stepQueue(state: QueueState, event: QueueEvent, moment: Moment & { online: boolean }): Step {
  switch (event.type) {
    case 'loaded':
      return stay({ ...state, stored: event.stored })
    case 'localChanged':
      return stay({ ...state, local: event.local })
    case 'leading':
      return stay({ ...state, leading: event.leads })
    case 'answered':
      return stay({ ...state, failures: 0 })
    case 'failed': {
      if (!isTransient(event.operation, event.failure)) return stay({ ...state, failures: 0 })
      const failures = state.failures + 1
      return stay({ ...state, failures, waitUntil: nextAttempt(failures, moment, event.failure.retryAfter) })
    }
    case 'stopped':
      return stay({ ...state, stopped: true, wakeAt: null })
    case 'check':
      return proceed(state, moment)
    case 'retryNow':
      return proceed({ ...state, failures: 0, waitUntil: 0, unwritableUntil: 0 }, moment)
    case 'ended': {
      const unwritableUntil = event.written ? state.unwritableUntil : moment.now + BACK_OFF.max
      return proceed({ ...state, sending: false, unwritableUntil }, moment)
    }
  }
}

function stay(state: QueueState): Step {
  return { state, send: null }
}

function proceed(before: QueueState, { now, online }: { now: number; online: boolean }): Step {
  const state = { ...before, wakeAt: null }
  if (state.stopped || state.sending || !online) return stay(state)
  if (state.waitUntil > now) return stay({ ...state, wakeAt: state.waitUntil })
  const operation = nextOperation(state, now)
  if (operation) return { state: { ...state, sending: true }, send: operation.id }
  return stay({ ...state, wakeAt: state.unwritableUntil > now ? state.unwritableUntil : null })
}

/** The first operation that this tab may send. One that waits for the user blocks only operations on the same items. */
function nextOperation({ stored, local, leading, unwritableUntil }: QueueState, now: number): Operation | undefined {
  const blocked = new Set<string>()
  for (const operation of [...stored, ...local]) {
    if (operation.state === 'sent') continue
    const items = itemsOf(operation.action)
    const mine = local.includes(operation) || (leading && unwritableUntil <= now)
    if (mine && operation.state === 'waiting' && !items.some((id) => blocked.has(id))) return operation
    for (const id of items) blocked.add(id)
  }
  return undefined
}

/** Transient failures: the operation is retried without asking the user. */
function isTransient({ attempts }: Operation, { code }: OutboxFailure): boolean {
  return TRANSIENT.includes(code) || (SERVER_FAULTS.includes(code) && attempts + 1 < MAX_ATTEMPTS)
}

/** Recorded before the call: however this tab ends, the next attempt knows that the server may have the change. */
export function beforeSending(operation: Operation): Operation {
  return { ...operation, uncertain: true }
}

export function afterAnswer(operation: Operation, { changeId }: SendResult): Operation {
  return { ...operation, state: 'sent', uncertain: false, problem: null, changeId }
}

/**
 * Null for an operation that the user has taken back: its refusal needs no answer and must not block later operations. `again`: an earlier
 * attempt may have arrived, whatever became of this one.
 */
export function afterFailure(operation: Operation, failure: OutboxFailure, again: boolean): Operation | null {
  const { retryAfter: _, theirs, ...problem } = failure
  if (isTransient(operation, failure)) {
    // The server has done nothing, unless there was no response or an unreliable one.
    const uncertain = again || ['offline', 'unavailable', ...SERVER_FAULTS].includes(problem.code)
    const attempts = TRANSIENT.includes(problem.code) ? operation.attempts : operation.attempts + 1
    return { ...operation, uncertain, attempts, problem }
  }
  if (operation.undone) return null
  return { ...operation, state: theirs ? 'conflict' : 'refused', uncertain: again, attempts: 0, problem, theirs }
}

/** Queues the operation again, with another action if the user changed it. */
export function afterRetry(operation: Operation, action = operation.action): Operation {
  return { ...operation, action, state: 'waiting', attempts: 0, problem: null, theirs: null }
}

export type TakenBack = 'dropped' | 'marked' | 'gone'

/**
 * `dropped` before any attempt, or if it waits for the user; `marked` if the server may have it and its answer will say so; `gone` if it is done. `before`
 * are its rows before it.
 */
export function takeBack(operation: Operation, late = true, before?: Rows): [TakenBack, Operation | null] {
  const open = operation.state === 'waiting' && operation.uncertain
  if (operation.state === 'sent' || (open && !late)) return ['gone', operation]
  return open ? ['marked', { ...operation, undone: true, before }] : ['dropped', null]
}

/** Fields that an action wrote; null for one that writes no fields. */
export function writtenFields(action: Action) {
  if (action.kind === 'create') return action.post
  return 'patch' in action ? action.patch : null
}
