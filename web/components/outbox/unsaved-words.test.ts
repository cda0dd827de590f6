import { expect, test } from 'vitest'
import { newId } from '../../../contract/ids.ts'
import type { Operation } from '../../lib/outbox/types.ts'
import { mayRetry, whyStuck } from './unsaved-words.ts'

const GONE = 'It was deleted or is no longer shared with you. Your text is kept on this device.'
const operation = (code: string, message = '', of: string[] = []) =>
  ({ state: 'refused', problem: { code, message, fields: Object.fromEntries(of.map((field) => [field, message])) } }) as Operation
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
