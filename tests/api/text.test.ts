import { beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import type { Answer } from '../../dev/http-client.ts'
import { file } from '../support/role-scene.ts'
import { type Actor, type World, world } from '../support/world.ts'

/** A text field: its limit, how to write it, and where it is in the answer. */
type Field = [what: string, limit: number, write: (ada: Actor, text: string) => Promise<Answer>, read: (body: Answer['body']) => string]

let w: World
beforeAll(async () => {
  w = await world()
})

const note = (more: object) => ({ type: 'note', title: 'T', ...more })
const at = (name: string) => ({ location: { lat: 1, lon: 2, name } })

const FIELDS: Field[] = [
  [
    'name of a collection',
    LIMITS.collectionName,
    (ada, name) => ada.post('/api/collections', { name }),
    ({ collection }) => collection.name,
  ],
  ['title of a post', LIMITS.postTitle, (ada, title) => ada.post('/api/post', note({ title })), ({ post }) => post.title],
  ['location of a post', LIMITS.locationName, (ada, name) => ada.post('/api/post', note(at(name))), ({ post }) => post.location.name],
  [
    'name of a person',
    LIMITS.personName,
    (ada, name) => ada.post(`/api/collections/${w.collection.id}/people`, { name }),
    ({ person }) => person.name,
  ],
  ['name of a file', LIMITS.fileName, (ada, name) => ada.post('/api/asset', { ...file(), name }), ({ asset }) => asset.name],
  ['description of a file', LIMITS.altText, (ada, alt) => ada.post('/api/asset', { ...file(), alt }), ({ asset }) => asset.alt],
  [
    'location of a file',
    LIMITS.locationName,
    (ada, name) => ada.post('/api/asset', { ...file(), ...at(name) }),
    ({ asset }) => asset.location.name,
  ],
  ['first name', LIMITS.profileName, (ada, firstName) => ada.put('/api/users/profile', { firstName }), ({ profile }) => profile.firstName],
  ['last name', LIMITS.profileName, (ada, lastName) => ada.put('/api/users/profile', { lastName }), ({ profile }) => profile.lastName],
  [
    'name of an access token',
    LIMITS.tokenName,
    (ada, name) => ada.post('/api/users/tokens', { name, scope: 'read' }),
    ({ token }) => token.name,
  ],
]

/** Each is one character to a reader. */
const CHARACTERS = {
  letters: 'x',
  'letters of four bytes': '𠜎',
  'families of four': '👩‍👩‍👧‍👦',
  'flags of England': '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'letters with their accents apart': 'q\u0323\u0307',
}

describe.each(FIELDS)('the text field %s', (_what, limit, write, read) => {
  test.each(Object.entries(CHARACTERS))(`The field accepts ${limit} %s and not one more`, async (_name, character) => {
    const full = await write(w.as('ada'), character.repeat(limit))
    expect([200, 201], JSON.stringify(full.body)).toContain(full.status)
    expect(read(full.body)).toBe(character.repeat(limit))
    const over = await write(w.as('ada'), character.repeat(limit + 1))
    expect([over.status, ...Object.values(over.body.error.fields)]).toEqual([400, expect.stringContaining(`at most ${limit} characters`)])
  })

  test.each(['مرحبا \u202eabc\u202c', 'a\u200bb\u200d', 'שלום\u200f!', '京都', 'नमस्ते', '"<b>&amp;\'\\%_$1'])(
    'The field keeps %j unchanged',
    async (text) => {
      expect(read((await write(w.as('ada'), text)).body)).toBe(text)
    },
  )

  test('The field normalizes letters that have two encodings', async () => {
    expect(read((await write(w.as('ada'), 'Ame\u0301lie')).body)).toBe('Am\u00e9lie')
  })

  test.each(['a\u0000b', '\u0000', 'a\u0008b', 'a\u001bb', 'a\u007fb', 'a\ud800b', '\udc00a'])('The field refuses %j', async (text) => {
    const { status, body } = await write(w.as('ada'), text)
    expect([status, ...Object.values(body.error.fields)]).toEqual([400, expect.stringContaining('cannot be stored')])
  })
})

test('The text of a post has 100,000 characters as a reader counts them, and refuses NUL', async () => {
  const body = async (text: string) => (await w.as('ada').post('/api/post', note({ body: text }))).status
  expect(await body('å'.repeat(LIMITS.postBody))).toBe(201)
  expect(await body('e\u0301'.repeat(LIMITS.postBody))).toBe(201)
  expect(await body('å'.repeat(LIMITS.postBody + 1))).toBe(400)
  expect(await body('a\u0000b')).toBe(400)
})
