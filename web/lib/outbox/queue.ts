import { rebased } from './merge.ts'
import { type Action, type Answer, type EditAction, itemsOf, type Operation, type OutboxStore, type Problem } from './types.ts'

const FIRST_DELAY = 1_000
const LONGEST_DELAY = 30_000
/** A server error is tried this often before a person is asked; being offline or told to wait says nothing about the operation. */
const MOST_ATTEMPTS = 6

/** What a failed call tells. `retryAfter` in seconds; `theirs` is the row that stands in the way of an edit. */
export interface OutboxFailure extends Problem {
  retryAfter: number | null
  theirs: Operation['theirs']
}

export type OutboxEvent =
  | { kind: 'done'; operation: Operation; answer: Answer }
  | { kind: 'stuck'; operation: Operation }
  /** There is no room for it on this device: it is lost when this tab is closed before it is sent. */
  | { kind: 'memory' }

export interface OutboxDeps {
  store: OutboxStore
  send: (operation: Operation, again: boolean) => Promise<Answer>
  failureOf: (error: unknown) => OutboxFailure
  online: () => boolean
  onChange: () => void
  onEvent: (event: OutboxEvent) => void
  now?: () => number
  random?: () => number
  later?: (run: () => void, ms: number) => () => void
}

export type OutboxQueue = ReturnType<typeof createOutboxQueue>

/**
 * The queue itself, without storage, network or React of its own. Operations go out one at a time in their order; one that waits for
 * its person holds up only what is about the same items.
 */
export function createOutboxQueue(deps: OutboxDeps) {
  const { store, now = Date.now, random = Math.random, later = defaultLater } = deps
  let stored: Operation[] = []
  /** What found no room. Only this tab knows of it, so this tab sends it. */
  let local: Operation[] = []
  let leading = false
  let stopped = false
  let busy = false
  let failures = 0
  let until = 0
  /** Until then what the device keeps is left alone: it could not be written to. */
  let unwritable = 0
  let callOff = () => {}

  const all = () => [...stored, ...local]
  const mine = (operation: Operation) => local.includes(operation) || (leading && unwritable <= now())

  async function reload() {
    const before = stored
    stored = await store.all().catch(() => before)
    if (store.wasCleared()) await restore(before)
    if (!stopped) deps.onChange()
  }

  /** Whatever has taken them away, this page still has them. */
  async function restore(operations: readonly Operation[]) {
    stored = await store.all().catch(() => [])
    for (const operation of operations) if (all().every(({ id }) => id !== operation.id)) await keep(operation)
  }

  async function keep(operation: Operation) {
    const kept = await store.add(operation)
    if (kept) stored = [...stored, kept]
    else {
      local = [...local, operation]
      deps.onEvent({ kind: 'memory' })
    }
  }

  /** Changes one where it lives, and resolves to what stands there then. */
  async function change(id: string, to: (operation: Operation) => Operation | null): Promise<Operation | null> {
    const held = local.find((operation) => operation.id === id)
    if (!held) {
      const next = await store.change(id, to)
      await reload()
      return next
    }
    const next = to(held)
    local = local.flatMap((operation) => (operation.id === id ? (next ?? []) : operation))
    deps.onChange()
    return next
  }

  function next(): Operation | undefined {
    const held = new Set<string>()
    for (const operation of all()) {
      if (operation.state === 'sent') continue
      const items = itemsOf(operation.action)
      const free = !items.some((id) => held.has(id))
      if (free && operation.state === 'waiting' && mine(operation)) return operation
      for (const id of items) held.add(id)
    }
    return undefined
  }

  async function pump(): Promise<void> {
    callOff()
    if (stopped || busy || !deps.online()) return
    if (until > now()) {
      callOff = later(() => void pump(), until - now())
      return
    }
    const operation = next()
    if (!operation) {
      if (unwritable > now()) callOff = later(() => void pump(), unwritable - now())
      return
    }
    busy = true
    try {
      await sendOne(operation.id)
    } catch {
      // The device could not write down how it stands, for want of room perhaps. It may be sent twice for that, which does no harm.
      unwritable = now() + LONGEST_DELAY
    } finally {
      busy = false
    }
    return pump()
  }

  async function sendOne(id: string): Promise<void> {
    let again = false
    // Written down before it goes out: whatever ends this tab, the next try knows that the server may have it.
    const operation = await change(id, (held) => {
      again = held.uncertain
      return { ...held, uncertain: true }
    })
    // Its person may have gone meanwhile, and a call would go out as whoever came.
    if (stopped || operation?.state !== 'waiting') return
    try {
      const answer = await deps.send(operation, again)
      if (!stopped) await succeed(id, answer)
    } catch (error) {
      if (!stopped) await fail(id, deps.failureOf(error))
    }
  }

  async function succeed(id: string, answer: Answer): Promise<void> {
    failures = 0
    const done = await change(id, (held) => ({ ...held, state: 'sent', uncertain: false, problem: null, changeId: answer.changeId }))
    if (!done) return
    await rebase(done, answer)
    deps.onEvent({ kind: 'done', operation: done, answer })
    // Its row is in its place by now; anything else stays laid over until the content shows it.
    if (answer.post || answer.asset) await change(id, () => null)
  }

  /** Edits of the same item that wait behind this one began with what it said. */
  async function rebase({ action }: Operation, { post, asset }: Answer): Promise<void> {
    const row = post ?? asset
    const said = action.kind === 'create' ? action.post : 'patch' in action ? action.patch : null
    if (!row || !said) return
    for (const { id, action: other } of all()) {
      if ((other.kind !== 'editPost' && other.kind !== 'editAsset') || other.id !== row.id) continue
      await change(id, (held) => (isEdit(held.action) ? { ...held, action: rebased(held.action, said, row) } : held))
    }
  }

  async function fail(id: string, failure: OutboxFailure): Promise<void> {
    const { retryAfter, theirs, ...problem } = failure
    const patient = ['offline', 'unavailable', 'rate_limited', 'unauthenticated'].includes(problem.code)
    const attempts = (all().find((operation) => operation.id === id)?.attempts ?? 0) + 1
    if (patient || (['internal', 'unreadable'].includes(problem.code) && attempts < MOST_ATTEMPTS)) {
      failures++
      const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (failures - 1)) + random() * 1_000
      until = now() + Math.max(delay, (retryAfter ?? 0) * 1_000)
      // The server said that it did nothing, unless no answer came or none that can be trusted.
      const lost = ['offline', 'unavailable', 'internal', 'unreadable'].includes(problem.code)
      await change(id, (held) => ({ ...held, uncertain: lost, attempts: patient ? held.attempts : attempts, problem }))
      return
    }
    failures = 0
    const state = theirs ? 'conflict' : 'refused'
    // What its person has taken back asks them nothing, and must not hold up what they do next.
    const stuck = await change(id, (held) => (held.undone ? null : { ...held, state, uncertain: false, attempts: 0, problem, theirs }))
    if (stuck) deps.onEvent({ kind: 'stuck', operation: stuck })
  }

  return {
    operations: all,
    reload,
    /** Some operations are in the memory of this tab alone. */
    losable: () => local.some(({ state }) => state !== 'sent'),
    /** Resolves when the operation is written down, and shown. */
    async add(operation: Operation): Promise<void> {
      const before = stored
      await keep(operation)
      if (store.wasCleared()) await restore(before)
      deps.onChange()
      void pump()
    },
    /** From now on this tab sends for all. */
    async lead(): Promise<void> {
      leading = true
      await reload()
      void pump()
    },
    pump: () => void pump(),
    /** The network or the session may be back: nothing waits any longer. */
    hurry() {
      until = 0
      unwritable = 0
      failures = 0
      void pump()
    },
    /** Takes an operation back: `dropped` before it was ever tried, `marked` when the server may have it, `gone` when it is done. */
    async takeBack(id: string): Promise<'dropped' | 'marked' | 'gone'> {
      let outcome: 'dropped' | 'marked' | 'gone' = 'gone'
      await change(id, (held) => {
        if (held.state === 'sent') return held
        outcome = held.uncertain ? 'marked' : 'dropped'
        return held.uncertain ? { ...held, undone: true } : null
      })
      void pump()
      return outcome
    },
    /** Out of the queue: it is seen in the content by now, or its person lets it go. */
    async drop(id: string): Promise<void> {
      await change(id, () => null)
      void pump()
    },
    /** Sends once more what was stuck, with another action where the person changed it. */
    async again(id: string, action?: Action): Promise<void> {
      await change(id, (held) => ({ ...held, action: action ?? held.action, state: 'waiting', attempts: 0, problem: null, theirs: null }))
      until = 0
      void pump()
    },
    stop() {
      stopped = true
      callOff()
    },
  }
}

function isEdit(action: Action): action is EditAction {
  return action.kind === 'editPost' || action.kind === 'editAsset'
}

function defaultLater(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
