import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { newKeys } from './keys.ts'
import { settingProblems } from './settings.ts'

const given = {
  APP_ORIGIN: 'https://cairn.example',
  DATABASE_URL: 'postgresql://u:p@ep-a.eu-central-1.aws.neon.tech/neondb',
  AUTH_URL: 'https://ep-a.neonauth.eu-central-1.aws.neon.tech/neondb/auth',
}
/** As the file is read: a later line overrides an earlier one of the same name. */
const withLines = (settings: Record<string, string>, lines: string): Record<string, string> => ({
  ...settings,
  // Every name in a file has a value.
  ...(parseEnv(lines) as Record<string, string>),
})
const first = withLines(given, newKeys(given))

test('the first keys are all that a site makes for itself', () => {
  expect(settingProblems(first)).toEqual([])
  expect(newKeys(given).match(/^\w+/gm)).toEqual(['SESSION_KEYS', 'LIVE_KEY', 'VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'])
})

test('a second call does not take the place of keys that are here, so that nobody is signed out by it', () => {
  expect(() => newKeys(first)).toThrow('SESSION_KEYS is set already')
  expect(() => newKeys({ ...given, VAPID_PUBLIC_KEY: first.VAPID_PUBLIC_KEY ?? '' })).toThrow('VAPID_PUBLIC_KEY is set already')
})

test('another session key goes in front of those that are here', () => {
  const second = withLines(first, newKeys(first, 'k2'))
  expect(second.SESSION_KEYS).toMatch(/^k2:[\w+/]{43}=,k1:/)
  expect(second.SESSION_KEYS?.endsWith(`,${first.SESSION_KEYS}`)).toBe(true)
  expect(settingProblems(second)).toEqual([])
  expect(() => newKeys(second, 'k1')).toThrow('There is a k1 already')
  expect(() => newKeys(first, 'k:2')).toThrow('letters, digits')
  expect(() => newKeys(given, 'k2')).toThrow('SESSION_KEYS is not here')
})

test('keys that are put behind a last line without an end leave it whole', () => {
  const behind = (settings: Record<string, string>, which?: string) => {
    const file = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
    return parseEnv(file.join('\n') + newKeys(settings, which))
  }
  expect(behind(given)).toMatchObject({ ...given, SESSION_KEYS: expect.stringMatching(/^k1:[\w+/]{43}=$/) })
  expect(behind(first, 'party')).toEqual({ ...first, PARTY_PUBLISH_KEY: expect.any(String) })
  const { SESSION_KEYS, ...others } = first
  const second = behind({ ...others, SESSION_KEYS: SESSION_KEYS ?? '' }, 'k2')
  expect(second).toEqual({ ...others, SESSION_KEYS: expect.stringMatching(/^k2:[\w+/]{43}=,k1:[\w+/]{43}=$/) })
})

test('the key of a PartyKit host is another than that of the rooms', () => {
  const hosted = withLines({ ...first, PARTY_HOST: 'https://cairn.example.partykit.dev' }, newKeys(first, 'party'))
  expect(settingProblems(hosted)).toEqual([])
  expect(() => newKeys(hosted, 'party')).toThrow('PARTY_PUBLISH_KEY is set already')
})
