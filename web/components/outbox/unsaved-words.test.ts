import { expect, test } from 'vitest'
import type { Collection } from '../../../contract/collections.ts'
import { newId } from '../../../contract/ids.ts'
import type { Role } from '../../../contract/policy.ts'
import type { Operation } from '../../lib/outbox/types.ts'
import { mayRetry, whyStuck } from './unsaved-words.ts'

const GONE = 'It was deleted or is no longer shared with you. Your text is kept on this device.'
const operation = (code: string, message = '', of: string[] = []) =>
  ({
    state: 'refused',
    action: { kind: 'trash' },
    problem: { code, message, fields: Object.fromEntries(of.map((field) => [field, message])) },
  }) as Operation
const refused = (code: string, message: string, ...of: string[]) => whyStuck(operation(code, message, of))

test.each([
  ['of a post that is gone says so', refused('not_found', 'The post was not found'), GONE],
  ['of many items that are gone says so', refused('not_found', `Posts not found: ${newId()}`, 'ids'), GONE],
  ['of a post for a collection that is gone says so', refused('not_found', `Collections not found: ${newId()}`, 'collectionIds'), GONE],
  ['for a person who is gone names no other cause', refused('not_found', `People not found: ${newId()}`, 'peopleIds'), 'People not found.'],
  [
    'in French shows no ids',
    refused('not_found', `Photos introuvables : ${newId()}, ${newId()}`, 'existingAssetIds'),
    'Photos introuvables.',
  ],
  ['in Chinese shows no ids', refused('invalid', `年份必须保持在 1 到 9999 之间：${newId()}`, 'shift'), '年份必须保持在 1 到 9999 之间.'],
  ['with a full stop keeps it', refused('forbidden', 'Your role lets you look.'), 'Your role lets you look.'],
])('A refusal %s', (_what, shown, expected) => {
  expect(shown).toBe(expected)
})

test('Only what failed on the server can be tried again as it is', () => {
  const codes = ['internal', 'unreadable', 'forbidden', 'not_found', 'invalid']
  expect(codes.filter((code) => mayRetry(operation(code)))).toEqual(['internal', 'unreadable'])
  expect(refused('unreadable', 'Unexpected token <')).toBe('The server could not save it. It is kept on this device.')
})

test('A change that the role did not permit can be tried again once it does', () => {
  const refusal = 'Your role lets you look, not add, in “Kyoto”'
  const [kyoto, lisbon] = [newId(), newId()]
  const of = (action: object) => ({ ...operation('forbidden', refusal), collectionId: kyoto, action }) as Operation
  const as = (role: Role, other: Role = 'write') =>
    Object.entries({ [kyoto]: role, [lisbon]: other }).map(([id, role]) => ({ id, role, answers: 'write' })) as Collection[]
  const created = of({ kind: 'create', post: { collectionIds: [kyoto, lisbon] } })
  const edited = of({ kind: 'editPost' })
  const others = [of({ kind: 'link', collectionIds: [kyoto] }), of({ kind: 'trash' }), of({ kind: 'comment' })]
  for (const refused of [created, edited, ...others])
    expect([refused.action.kind, mayRetry(refused, as('read')), mayRetry(refused, as('write'))]).toEqual([refused.action.kind, false, true])
  expect([mayRetry(created, as('write', 'read')), mayRetry(created)]).toEqual([false, false])
  expect(whyStuck(created, as('read'))).toBe(`${refusal}.`)
  expect(whyStuck(created, as('write'))).toBe('The server could not save it. It is kept on this device.')
  // The edit dialog also removes from collections that are not open.
  const unlinked = of({ kind: 'unlink', collectionId: lisbon })
  expect([mayRetry(unlinked, as('read', 'write')), mayRetry(unlinked, as('write', 'read'))]).toEqual([true, false])
  // The post may be another member's, and then the role is still the reason.
  expect(whyStuck(edited, as('write'))).toBe(`${refusal}.`)
})
