import fc from 'fast-check'
import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'
import { deviceModel, listModel } from '../../tests/support/content-model.ts'
import { ApiError } from '../lib/api.ts'
import { assetsPage, postsPage } from '../lib/content/source.ts'
import { storedContent } from '../lib/device/device.ts'
import { applyDeltaAtom, assetsAtom, contentCompleteAtom, contentStateAtom, postsAtom } from './content.ts'
import { fetchContentAtom, refreshContentAtom } from './content-fetch.ts'
import { selectCollectionAtom } from './selected-collection.ts'

vi.mock('../lib/content/source.ts')
vi.mock('../lib/storage.ts')
vi.mock('../lib/device/device.ts')
// Without a screen, nothing has to wait for the first render.
vi.mock('../lib/first-render.ts')

const HISTORIES = 200
const ID = 'one'
const DATES = [null, ...Array.from({ length: 9 }, (_, i) => `2025-0${1 + (i % 4)}-01T0${i}:00:00+00:00`)]

const kind = fc.constantFrom('posts' as const, 'assets' as const)
const which = fc.nat({ max: 29 })
const row = { kind, which, date: fc.constantFrom(...DATES), text: fc.string({ maxLength: 3 }) }
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), ...row }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('touch' as const), ...row }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), ...row }) },
  // The user's own write: its answer arrives before the delta it causes.
  { weight: 2, arbitrary: fc.record({ do: fc.constant('own' as const), ...row }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('refresh' as const, 'open' as const) }) },
  // Answers arrive one by one, in any order.
  { weight: 12, arbitrary: fc.record({ do: fc.constant('answer' as const), pick: fc.nat(), fails: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('save' as const, 'reload' as const, 'leave' as const, 'forgetLog' as const) }) },
)

test('After any history the store equals a fresh load', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), async (steps) => {
      const world = new World()
      for (const next of steps) await world.take(next)
      await world.settle()
      expect(world.shown()).toEqual({ posts: world.posts.all(), assets: world.assets.all() })
    }),
    { numRuns: HISTORIES },
  )
}, 30_000)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

class World {
  readonly posts = listModel(4)
  readonly assets = listModel(4)
  readonly device = deviceModel(3)
  store = createStore()
  /** Answers that the server has produced and that have not arrived yet. */
  private waiting: { arrive: () => void; fail: () => void }[] = []
  private held = true

  constructor() {
    const answer = (list: World['posts']) => (_id: string, query: object) =>
      new Promise<never>((resolve, reject) => {
        // The answer is computed now and arrives later.
        let arrive: () => void
        try {
          const page = list.page(query)
          arrive = () => resolve(page as never)
        } catch (error) {
          arrive = () => reject(error)
        }
        if (this.held) this.waiting.push({ arrive, fail: () => reject(new ApiError('offline', 'No connection.')) })
        else arrive()
      })
    vi.mocked(postsPage).mockImplementation(answer(this.posts))
    vi.mocked(assetsPage).mockImplementation(answer(this.assets))
    vi.mocked(storedContent).mockImplementation(async () => this.device.read())
    this.store.set(selectCollectionAtom, ID)
  }

  async take(next: Step): Promise<void> {
    if (next.do === 'refresh') void this.store.set(refreshContentAtom, ID)
    else if (next.do === 'open') void this.store.set(fetchContentAtom, ID)
    else if (next.do === 'save') this.save()
    else if (next.do === 'reload') this.reload()
    else if (next.do === 'leave') void this.store.set(fetchContentAtom, 'other')
    else if (next.do === 'forgetLog') for (const list of [this.posts, this.assets]) list.forgetLog()
    else if (next.do === 'answer') {
      const [one] = this.waiting.splice(next.pick % Math.max(1, this.waiting.length), 1)
      if (next.fails) one?.fail()
      else one?.arrive()
    } else if ('which' in next) this.write(next)
    await quiet()
  }

  private write(next: Extract<Step, { which: number }>): void {
    const list = this[next.kind]
    const id = `id-${String(next.which).padStart(2, '0')}`
    if (next.do === 'remove') list.remove(id)
    else if (next.do === 'touch') list.touch(id, next.text)
    else list.put(id, next)
    if (next.do !== 'own') return
    const rows = list.all().filter((row) => row.id === id) as never[]
    this.store.set(applyDeltaAtom, { collectionId: ID, [next.kind]: { rows, deleted: [] } })
    void this.store.set(refreshContentAtom, ID)
  }

  private save(): void {
    const { collectionId, complete, ...content } = this.store.get(contentStateAtom)
    if (collectionId === ID && complete) this.device.save({ collectionId, ...content, memberships: '' })
  }

  private reload(): void {
    this.waiting = []
    this.store = createStore()
    this.store.set(selectCollectionAtom, ID)
    void this.store.set(fetchContentAtom, ID)
  }

  /** Delivers everything, and asks once more, as the page does after the last change message. */
  async settle(): Promise<void> {
    this.held = false
    for (let turn = 0; turn < 50; turn++) {
      for (const one of this.waiting.splice(0)) one.arrive()
      await quiet()
      if (this.waiting.length > 0) continue
      if (turn > 0 && this.store.get(contentCompleteAtom)) break
      await this.store.set(fetchContentAtom, ID)
    }
    await this.store.set(refreshContentAtom, ID)
  }

  shown() {
    return { posts: this.store.get(postsAtom), assets: this.store.get(assetsAtom) }
  }
}

/** Waits until everything that does not depend on another answer has run. */
async function quiet(): Promise<void> {
  for (let i = 0; i < 12; i++) await Promise.resolve()
  await new Promise((resolve) => setImmediate(resolve))
}
