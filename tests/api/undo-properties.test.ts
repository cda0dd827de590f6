import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assetRow, collectionOf } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

/** A post in the model: the state that an undo restores. */
interface State {
  title: string
  date: string | null
  lat: number | null
  people: string
  photos: string
  deleted: boolean
  links: ReadonlySet<string>
}

type Op =
  | { do: 'title'; value: string }
  | { do: 'date'; value: string | null }
  | { do: 'shift'; days: number }
  | { do: 'location'; value: number | null }
  | { do: 'people'; value: number[] }
  | { do: 'tag'; person: number }
  | { do: 'photos'; value: number[] }
  | { do: 'link' | 'unlink'; collection: number }
  | { do: 'trash' }
  | { do: 'undo'; back: number }

const op: fc.Arbitrary<{ who: 'ada' | 'bob'; op: Op }> = fc.record({
  who: fc.constantFrom('ada', 'bob'),
  op: fc.oneof(
    fc.record({ do: fc.constant('title' as const), value: fc.constantFrom('A', 'B', 'C') }),
    fc.record({ do: fc.constant('date' as const), value: fc.constantFrom(null, '2026-03-28T09:00:00Z', '2020-02-29T23:00:00Z') }),
    fc.record({ do: fc.constant('shift' as const), days: fc.integer({ min: -3, max: 3 }) }),
    fc.record({ do: fc.constant('location' as const), value: fc.constantFrom(null, 1.5, -33.25) }),
    fc.record({ do: fc.constant('people' as const), value: fc.subarray([0, 1]) }),
    fc.record({ do: fc.constant('tag' as const), person: fc.nat(1) }),
    fc.record({ do: fc.constant('photos' as const), value: fc.shuffledSubarray([0, 1, 2]) }),
    fc.record({ do: fc.constantFrom('link' as const, 'unlink' as const), collection: fc.nat(1) }),
    fc.constant({ do: 'trash' as const }),
    { weight: 5, arbitrary: fc.record({ do: fc.constant('undo' as const), back: fc.nat(4) }) },
  ),
})

interface Scene {
  w: World
  id: string
  /** Two collections in which ada and bob may do everything to bob's post. */
  collections: string[]
  people: string[]
  photos: string[]
}

async function look({ w, id }: Scene): Promise<State> {
  const [row] = await w.sql`select title, date, lat, deleted_at is not null as deleted,
    array(select person_id::text from post_people where post_id = p.id order by 1) as people,
    array(select asset_id::text from post_assets where post_id = p.id order by position) as photos,
    array(select collection_id || ' ' || user_id || ' ' || added_at from post_collections where post_id = p.id order by 1) as links
    from posts p where id = ${id}`
  const { title, date, lat, people, photos, deleted, links } = row ?? {}
  return {
    title,
    date: date && new Date(date).toISOString(),
    lat,
    people: people.join(' '),
    photos: photos.join(' '),
    deleted,
    links: new Set(links),
  }
}

const plain = (state: State) => ({ ...state, links: [...state.links].toSorted() })

function act({ w, id, collections, people, photos }: Scene, who: 'ada' | 'bob', todo: Exclude<Op, { do: 'undo' }>) {
  const as = w.as(who)
  const ids = [id]
  switch (todo.do) {
    case 'title':
      return as.patch(`/api/post/${id}`, { title: todo.value })
    case 'date':
      return as.patch(`/api/post/${id}`, { date: todo.value })
    case 'shift':
      return as.post('/api/post/bulk.date', { ids, shift: { days: todo.days } })
    case 'location':
      return as.post('/api/post/bulk.location', { ids, location: todo.value === null ? null : { lat: todo.value, lon: 2 } })
    case 'people':
      return as.patch(`/api/post/${id}`, { peopleIds: todo.value.map((n) => people[n]) })
    case 'tag':
      return as.post('/api/post/bulk.people', { ids, add: [people[todo.person]] })
    case 'photos':
      return as.patch(`/api/post/${id}`, { existingAssetIds: todo.value.map((n) => photos[n]) })
    case 'link':
      return as.post(`/api/post/${id}/collections`, { collectionIds: [collections[todo.collection]] })
    case 'unlink':
      return as.delete(`/api/post/${id}/collections/${collections[todo.collection]}`)
    case 'trash':
      return as.delete(`/api/post/${id}`)
  }
}

/** A completed edit: its author, and the post before and after it. */
interface Edit {
  who: 'ada' | 'bob'
  changeId: string
  op: Op['do']
  before: State
  after: State
}

const isLink = (op: Op['do']) => op === 'link' || op === 'unlink'

const FIELDS = ['title', 'date', 'lat', 'people', 'photos', 'deleted'] as const

/**
 * The expected result of an undo, or null if it must be refused because something has changed since. An edit covers all fields, moving to
 * the trash only that, a link only itself.
 */
function undone({ op, before, after }: Edit, now: State): State | null {
  const covered = op === 'trash' ? (['deleted'] as const) : isLink(op) ? [] : FIELDS
  if (covered.some((field) => now[field] !== after[field] && now[field] !== before[field])) return null
  const links = new Set(now.links)
  const without = (some: State, others: State) => [...some.links].filter((link) => !others.links.has(link))
  const [made, cut] = [without(after, before), without(before, after)]
  const at = (link: string, state: State) => [...state.links].find((other) => other.split(' ')[0] === link.split(' ')[0])
  for (const link of made) {
    if (at(link, now) !== undefined && at(link, now) !== link) return null
    links.delete(link)
  }
  for (const link of cut) {
    if (at(link, now) !== undefined && at(link, now) !== link) return null
    links.add(link)
  }
  const fields = Object.fromEntries(covered.map((field) => [field, before[field]]))
  return { ...now, ...fields, links }
}

/** New for every run: bob's post in two collections of ada, with people, photos and two admins. */
async function stage(w: World): Promise<Scene> {
  const collections = [await collectionOf(w, 'ada', { bob: 'admin' }), await collectionOf(w, 'ada', { bob: 'admin' })]
  const person = async (name: string) =>
    (await w.as('ada').post(`/api/collections/${collections[0]}/people`, { name })).body.person.id as string
  const people = [await person('P'), await person('Q')]
  const photos = [await assetRow(w, 'bob', collections), await assetRow(w, 'bob', collections), await assetRow(w, 'bob', collections)]
  const { body } = await w
    .as('bob')
    .post('/api/post', { type: 'note', title: 'A', collectionIds: collections, existingAssetIds: photos.slice(0, 1) })
  return { w, id: body.post.id, collections, people, photos }
}

/** Bob's post is changed after ada took it out of her collections, which random steps seldom do. */
const removedThenTrashed: { who: 'ada' | 'bob'; op: Op }[] = [
  { who: 'ada', op: { do: 'unlink', collection: 0 } },
  { who: 'ada', op: { do: 'unlink', collection: 1 } },
  { who: 'bob', op: { do: 'trash' } },
  { who: 'ada', op: { do: 'undo', back: 1 } },
  { who: 'bob', op: { do: 'undo', back: 0 } },
  { who: 'ada', op: { do: 'undo', back: 1 } },
]

test('Any sequence of edits and undos ends in the state of the model', async () => {
  const w = await world({ bob: null })
  await fc.assert(
    fc.asyncProperty(fc.array(op, { minLength: 8, maxLength: 16, size: 'max' }), async (steps) => {
      const scene = await stage(w)
      const edits: Edit[] = []
      const spent = new Set<string>()
      /** The number of edits when the post itself, not its links, was changed last, also by an undo. */
      let changedAt = 0
      let now = await look(scene)
      for (const { who, op: todo } of steps) {
        const before = now
        if (todo.do === 'undo') {
          const edit = edits.at(-1 - todo.back)
          if (!edit) continue
          const { status, body } = await w.as(edit.who).post(`/api/undo/${edit.changeId}`)
          now = await look(scene)
          const seen = edit.who === 'bob' || before.links.size > 0
          // Who no longer sees the post may at most bring their own removal from a collection back, if the post is as it was.
          const allowed = seen || edit.op === 'link' || (edit.op === 'unlink' && changedAt <= edits.indexOf(edit))
          const expected = spent.has(edit.changeId) ? before : allowed ? undone(edit, before) : null
          if (status === 200 && !spent.has(edit.changeId) && !isLink(edit.op)) changedAt = edits.length
          if (status === 200) spent.add(edit.changeId)
          expect([status, plain(now)], JSON.stringify(body)).toEqual([expected ? 200 : seen ? 409 : status, plain(expected ?? before)])
        } else {
          const { status, body } = await act(scene, who, todo)
          now = await look(scene)
          if (status === 200) {
            edits.push({ who, changeId: body.changeId, op: todo.do, before, after: now })
            if (!isLink(todo.do)) changedAt = edits.length
          } else expect([[403, 404].includes(status), plain(now)], JSON.stringify(body)).toEqual([true, plain(before)])
        }
      }
    }),
    { numRuns: 25, examples: [[removedThenTrashed]] },
  )
}, 300_000)

test('Undoing all edits in reverse order restores the initial state', async () => {
  const w = await world({ bob: null })
  await fc.assert(
    fc.asyncProperty(fc.array(op, { minLength: 3, maxLength: 10 }), async (steps) => {
      const scene = await stage(w)
      const begin = plain(await look(scene))
      const changes: string[] = []
      for (const { op: todo } of steps) {
        if (todo.do === 'undo') continue
        const { status, body } = await act(scene, 'bob', todo)
        if (status === 200) changes.push(body.changeId)
      }
      for (const changeId of changes.toReversed()) {
        const { status, body } = await w.as('bob').post(`/api/undo/${changeId}`)
        expect(status, JSON.stringify(body)).toBe(200)
      }
      expect(plain(await look(scene))).toEqual(begin)
    }),
    { numRuns: 25 },
  )
}, 300_000)
