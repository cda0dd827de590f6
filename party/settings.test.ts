import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readPartySettings } from './settings.ts'

const key = () => randomBytes(32).toString('base64')
const sound = { LIVE_KEY: key(), PARTY_PUBLISH_KEY: key() }
const HOST = 'cairn.example.partykit.dev'

test('A host of rooms with two random keys starts', () => {
  expect(readPartySettings({ ...sound, OTHER: 1 }, HOST)).toEqual(sound)
})

test('A host of rooms on a developer machine keeps its keys', () => {
  const local = { LIVE_KEY: `local1:${key()}`, PARTY_PUBLISH_KEY: Buffer.alloc(32, 2).toString('base64') }
  expect(readPartySettings(local, '127.0.0.1')).toEqual(local)
  expect(readPartySettings(local, HOST)).toContain('LIVE_KEY')
})

describe.each(['LIVE_KEY', 'PARTY_PUBLISH_KEY'] as const)('A host of rooms says that %s', (name) => {
  test.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['is no text', 7],
    ['is short', randomBytes(24).toString('base64')],
    ['is a key of a developer', `local1:${key()}`],
    ['is zeros', Buffer.alloc(32).toString('base64')],
    ['repeats a byte', Buffer.alloc(32, 2).toString('base64')],
    ['is text', 'correct horse battery staple, and some more words'],
    ['is text in base64', Buffer.from('correct horse battery staple, and more').toString('base64')],
  ])('%s', (_, value) => {
    const said = readPartySettings({ ...sound, [name]: value }, HOST)
    expect(said).toContain(name)
    if (value) expect(said).not.toContain(String(value))
  })

  test('is the other key', () => {
    expect(readPartySettings({ LIVE_KEY: sound[name], PARTY_PUBLISH_KEY: sound[name] }, HOST)).toContain('must differ')
  })
})
