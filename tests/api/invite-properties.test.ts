import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ERROR_STATUS, type ErrorCode } from '../../contract/errors.ts'
import type { InviteRole } from '../../contract/policy.ts'
import { collectionOf } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

const NAMES = ['ada', 'bob', 'cleo'] as const
type Name = (typeof NAMES)[number]

type Op =
  | { do: 'invite'; who: Name; whom: Name; role: InviteRole; spelling: number }
  | { do: 'resend' | 'cancel'; who: Name; nth: number }
  | { do: 'accept' | 'decline' | 'leave'; who: Name }
  | { do: 'role'; who: Name; whom: Name; role: InviteRole }
  | { do: 'remove' | 'transfer'; who: Name; whom: Name }

/** Ways to write one address. */
const SPELLINGS: ((email: string) => string)[] = [
  (email) => email,
  (email) => email.toUpperCase(),
  (email) => `  ${email}.`,
  (email) => email.replace(/^\w/, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)),
]

const name = fc.constantFrom(...NAMES)
const role = fc.constantFrom<InviteRole>('read', 'write', 'admin')
// Chooses the owner more often, who may do most: otherwise most steps would be refused.
const actor = fc.oneof({ weight: 2, arbitrary: fc.constant<Name>('ada') }, { weight: 3, arbitrary: name })
const doing = <T extends Op['do']>(...names: T[]) => fc.constantFrom(...names)

const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: doing('invite'), who: actor, whom: name, role, spelling: fc.nat(SPELLINGS.length - 1) }),
  },
  { weight: 2, arbitrary: fc.record({ do: doing('resend', 'cancel'), who: actor, nth: fc.nat(2) }) },
  { weight: 6, arbitrary: fc.record({ do: doing('accept', 'accept', 'decline', 'leave'), who: name }) },
  { weight: 3, arbitrary: fc.record({ do: doing('role'), who: actor, whom: name, role }) },
  { weight: 3, arbitrary: fc.record({ do: doing('remove', 'transfer'), who: actor, whom: name }) },
)
/** One call after the other, or two at the same time. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(op) },
  { weight: 2, arbitrary: fc.tuple(op, op) },
  { weight: 1, arbitrary: op.map((same): [Op, Op] => [same, same]) },
)

interface Scene {
  w: World
  collection: string
}

interface State {
  owner: string
  revision: string
  members: { user_id: string; role: string; email: string }[]
  invites: { id: string; email: string; role: InviteRole; state: string }[]
}

async function look({ w, collection }: Scene): Promise<State> {
  const [row] = await w.sql`select user_id as owner, revision,
    (select coalesce(json_agg(json_build_object('user_id', m.user_id, 'role', m.role, 'email', lower(u.email::text)) order by m.user_id), '[]')
      from members m join users u on u.id = m.user_id where m.collection_id = c.id) as members,
    (select coalesce(json_agg(json_build_object('id', i.id, 'email', i.email, 'role', i.role, 'state', i.state) order by i.id), '[]')
      from invites i where i.collection_id = c.id) as invites
    from collections c where id = ${collection}`
  return row as State
}

function act({ w, collection }: Scene, todo: Op, { invites }: State) {
  const path = `/api/collections/${collection}`
  const as = w.as(todo.who)
  const send = (email: string, role: InviteRole) => as.post(`${path}/invites/invite`, { email, role })
  switch (todo.do) {
    case 'invite':
      return send(SPELLINGS[todo.spelling]?.(w.as(todo.whom).email) ?? '', todo.role)
    case 'resend': {
      const known = invites[todo.nth % Math.max(1, invites.length)]
      return send(known?.email ?? w.as('bob').email, known?.role ?? 'read')
    }
    case 'cancel':
      return as.delete(`${path}/invites/${invites[todo.nth % Math.max(1, invites.length)]?.id ?? 'none'}`)
    case 'accept':
      return as.post(`${path}/invites/accept`)
    case 'decline':
    case 'leave':
      return as.delete(`${path}/invites/${todo.do}`)
    case 'role':
      return as.put(`${path}/members/${w.as(todo.whom).id}`, { role: todo.role })
    case 'remove':
      return as.delete(`${path}/members/${w.as(todo.whom).id}`)
    case 'transfer':
      return as.post(`${path}/transfer`, { userId: w.as(todo.whom).id })
  }
}

/** Invariants that hold after any step. */
function expectWhole({ owner, members, invites }: State): void {
  expect(members.filter(({ role }) => role === 'owner').map(({ user_id }) => user_id)).toEqual([owner])
  expect(new Set(members.map(({ user_id }) => user_id)).size).toBe(members.length)
  expect(new Set(invites.map(({ email }) => email)).size).toBe(invites.length)
  const joined = members.map(({ email }) => email)
  expect(invites.filter(({ state, email }) => state === 'pending' && joined.includes(email))).toEqual([])
}

/** The outcome of a call without concurrent ones, and the outcome that its success promised. */
function promised({ w }: Scene, todo: Op, before: State, after: State): [is: unknown, should: unknown] {
  const roleOf = (who: Name) => after.members.find(({ user_id }) => user_id === w.as(who).id)?.role
  const pending = (email: string) => after.invites.find((invite) => invite.email === email && invite.state === 'pending')?.role
  switch (todo.do) {
    case 'invite':
      return [pending(w.as(todo.whom).email), todo.role]
    case 'resend': {
      const known = before.invites[todo.nth % Math.max(1, before.invites.length)]
      return [pending(known?.email ?? w.as('bob').email), known?.role ?? 'read']
    }
    case 'cancel':
      return [pending(before.invites[todo.nth % before.invites.length]?.email ?? ''), undefined]
    case 'accept':
      return [roleOf(todo.who) !== undefined, true]
    case 'decline':
      return [pending(w.as(todo.who).email), undefined]
    case 'leave':
      return [roleOf(todo.who), undefined]
    case 'role':
      return [roleOf(todo.whom), todo.role]
    case 'remove':
      return [roleOf(todo.whom), undefined]
    case 'transfer':
      return [
        [after.owner, roleOf(todo.whom), roleOf(todo.who)],
        [w.as(todo.whom).id, 'owner', 'admin'],
      ]
  }
}

const REFUSALS: ErrorCode[] = ['invalid', 'forbidden', 'not_found', 'conflict', 'gone']

test('Any sequence of invitations and role changes leaves one owner and no duplicate members', async () => {
  const w = await world({ bob: null, cleo: null })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 15, size: 'max' }), async (steps) => {
      const scene: Scene = { w, collection: await collectionOf(w, 'ada') }
      let now = await look(scene)
      for (const ops of steps) {
        const before = now
        const answers = await Promise.all(ops.map((todo) => act(scene, todo, before)))
        now = await look(scene)
        for (const { status, body } of answers) {
          if (status === 200) continue
          expect(REFUSALS, JSON.stringify(body)).toContain(body.error.code)
          expect([status, body.success]).toEqual([ERROR_STATUS[body.error.code as ErrorCode], false])
          expect(body.error.message).toMatch(/^[A-Z]\w+ \w+/)
        }
        expectWhole(now)
        const [only] = ops
        if (ops.length === 1 && answers[0]?.status === 200) {
          const [is, should] = promised(scene, only, before, now)
          expect(is, only.do).toEqual(should)
        }
        if (answers.every(({ status }) => status !== 200)) expect(now).toEqual(before)
      }
      for (const who of NAMES) {
        const inside = now.members.some(({ user_id }) => user_id === w.as(who).id)
        expect((await w.as(who).get(`/api/collections/${scene.collection}`)).status).toBe(inside ? 200 : 404)
      }
    }),
    { numRuns: 25 },
  )
}, 180_000)
