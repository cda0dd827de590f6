import { setTimer } from '../scheduling.ts'
import { rebased } from './merge.ts'
import {
  afterAnswer,
  afterFailure,
  afterRetry,
  beforeSending,
  EMPTY_QUEUE,
  type OutboxFailure,
  type QueueEvent,
  stepQueue,
  type TakenBack,
  takeBack,
  writtenFields,
} from './step.ts'
import type { Action, EditAction, Operation, OutboxStore, Rows, SendResult } from './types.ts'

export type OutboxEvent =
  | { kind: 'done'; operation: Operation; answer: SendResult; answeredAt: number }
  | { kind: 'stuck'; operation: Operation }
  /** The device has no room for it: it is lost if this tab is closed before it is sent. */
  | { kind: 'memory' }

export interface OutboxDeps {
  store: OutboxStore
  send: (operation: Operation, again: boolean) => Promise<SendResult>
  failureOf: (error: unknown) => OutboxFailure
  online: () => boolean
  onChange: () => void
  onEvent: (event: OutboxEvent) => void
  now?: () => number
  random?: () => number
  later?: (run: () => void, ms: number) => () => void
}

export type OutboxQueue = ReturnType<typeof createOutboxQueue>

/** Runs the decisions of `step.ts` against a store and a server. Operations are sent one at a time, in order. */
export function createOutboxQueue(deps: OutboxDeps) {
  const { store, now = Date.now, random = Math.random, later = setTimer } = deps
  let state = EMPTY_QUEUE
  let timer: { at: number; cancel: () => void } | null = null

  function dispatch(event: QueueEvent): void {
    const step = stepQueue(state, event, { now: now(), random: random(), online: deps.online() })
    state = step.state
    if (state.wakeAt !== (timer?.at ?? null)) {
      timer?.cancel()
      timer = state.wakeAt === null ? null : { at: state.wakeAt, cancel: later(check, state.wakeAt - now()) }
    }
    if (step.send) void send(step.send)
  }
  function check() {
    timer?.cancel()
    timer = null
    dispatch({ type: 'check' })
  }

  const all = () => [...state.stored, ...state.local]

  async function reload() {
    const before = state.stored
    dispatch({ type: 'loaded', stored: await store.all().catch(() => before) })
    if (store.wasCleared()) await restore(before)
    if (!state.stopped) deps.onChange()
  }

  /** Stores again the operations that the browser has cleared but this page still has. */
  async function restore(operations: readonly Operation[]) {
    dispatch({ type: 'loaded', stored: await store.all().catch(() => []) })
    for (const operation of operations) if (all().every(({ id }) => id !== operation.id)) await keep(operation)
  }

  async function keep(operation: Operation) {
    const kept = await store.add(operation)
    if (kept) return dispatch({ type: 'loaded', stored: [...state.stored, kept] })
    dispatch({ type: 'localChanged', local: [...state.local, operation] })
    deps.onEvent({ kind: 'memory' })
  }

  /** Changes an operation in its store. Resolves to the result; null if it is removed or not found. */
  async function change(id: string, to: (operation: Operation) => Operation | null): Promise<Operation | null> {
    const local = state.local.find((operation) => operation.id === id)
    if (!local) {
      const changed = await store.change(id, to)
      await reload()
      return changed
    }
    const changed = to(local)
    dispatch({ type: 'localChanged', local: state.local.flatMap((operation) => (operation.id === id ? (changed ?? []) : operation)) })
    deps.onChange()
    return changed
  }

  async function send(id: string): Promise<void> {
    try {
      await attempt(id)
      dispatch({ type: 'ended', written: true })
    } catch {
      // The device could not record the outcome, perhaps for want of room. The operation may be sent twice, which does no harm.
      dispatch({ type: 'ended', written: false })
    }
  }

  async function attempt(id: string): Promise<void> {
    let again = false
    const operation = await change(id, (current) => {
      again = current.uncertain
      return beforeSending(current)
    })
    // The user may have signed out meanwhile, and the call would be sent in the name of the next one.
    if (state.stopped || operation?.state !== 'waiting') return
    try {
      const answer = await deps.send(operation, again)
      if (!state.stopped) await succeed(id, answer)
    } catch (error) {
      if (!state.stopped) await fail(operation, deps.failureOf(error), again)
    }
  }

  async function succeed(id: string, answer: SendResult): Promise<void> {
    const answeredAt = now()
    dispatch({ type: 'answered' })
    const done = await change(id, (current) => afterAnswer(current, answer))
    if (!done) return
    await rebase(done, answer)
    deps.onEvent({ kind: 'done', operation: done, answer, answeredAt })
    // The content has its row by now; any other operation stays in the overlay until the content shows it.
    if (answer.post || answer.asset) await change(id, () => null)
  }

  /** Edits of the same item that wait behind this one continue from the values it wrote. */
  async function rebase({ action }: Operation, { post, asset, comment }: SendResult): Promise<void> {
    for (const { id, action: other } of comment ? all() : []) {
      if (other.kind !== 'editComment' || other.id !== comment?.id || other.version === null) continue
      await change(id, (current) => ({ ...current, action: { ...other, version: comment.version } }))
    }
    const row = post ?? asset
    const written = writtenFields(action)
    if (!row || !written) return
    for (const { id, action: other } of all()) {
      if (!isEditOf(other, row.id)) continue
      await change(id, (current) =>
        isEditOf(current.action, row.id) ? { ...current, action: rebased(current.action, written, row) } : current,
      )
    }
  }

  async function fail(operation: Operation, failure: OutboxFailure, again: boolean): Promise<void> {
    dispatch({ type: 'failed', operation, failure })
    const after = await change(operation.id, (current) => afterFailure(current, failure, again))
    if (after?.state === 'conflict' || after?.state === 'refused') deps.onEvent({ kind: 'stuck', operation: after })
  }

  return {
    operations: all,
    reload,
    /** Whether some operations exist only in the memory of this tab. */
    wouldLoseData: () => state.local.some((operation) => operation.state !== 'sent'),
    /** Resolves when the operation is stored and shown. */
    async add(operation: Operation): Promise<void> {
      const before = state.stored
      await keep(operation)
      if (store.wasCleared()) await restore(before)
      deps.onChange()
      dispatch({ type: 'check' })
    },
    /** From now on this tab sends for all tabs. */
    async lead(): Promise<void> {
      dispatch({ type: 'leading', leads: true })
      await reload()
      dispatch({ type: 'check' })
    },
    /** Another tab sends from now on. */
    follow: () => dispatch({ type: 'leading', leads: false }),
    check,
    /** Call when the network or the session may be back. */
    retryNow: () => dispatch({ type: 'retryNow' }),
    /** `late`: also one of which the answer is not known, as soon as it is. */
    async takeBack(id: string, late = true, before?: Rows): Promise<TakenBack> {
      let outcome: TakenBack = 'gone'
      await change(id, (current) => {
        const [result, next] = takeBack(current, late, before)
        outcome = result
        return next
      })
      dispatch({ type: 'check' })
      return outcome
    },
    /** Removes an operation that the content shows by now, or that the user discards. */
    async drop(id: string): Promise<void> {
      await change(id, () => null)
      dispatch({ type: 'check' })
    },
    async retry(id: string, action?: Action): Promise<void> {
      await change(id, (current) => afterRetry(current, action))
      dispatch({ type: 'retryNow' })
    },
    stop: () => dispatch({ type: 'stopped' }),
  }
}

function isEditOf(action: Action, id: string): action is EditAction {
  return (action.kind === 'editPost' || action.kind === 'editAsset') && action.id === id
}
