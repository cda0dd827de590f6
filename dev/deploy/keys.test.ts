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

test('The first call generates all keys of a site', () => {
  expect(settingProblems(first)).toEqual([])
  expect(newKeys(given).match(/^\w+/gm)).toEqual(['SESSION_KEYS', 'LIVE_KEY', 'VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'])
})

test('A second call does not replace existing keys, which would sign out all users', () => {
  expect(() => newKeys(first)).toThrow('SESSION_KEYS is set already')
  expect(() => newKeys({ ...given, VAPID_PUBLIC_KEY: first.VAPID_PUBLIC_KEY ?? '' })).toThrow('VAPID_PUBLIC_KEY is set already')
})

test('Another session key is placed before the existing ones', () => {
  const second = withLines(first, newKeys(first, 'k2'))
  expect(second.SESSION_KEYS).toMatch(/^k2:[\w+/]{43}=,k1:/)
  expect(second.SESSION_KEYS?.endsWith(`,${first.SESSION_KEYS}`)).toBe(true)
  expect(settingProblems(second)).toEqual([])
  expect(() => newKeys(second, 'k1')).toThrow('There is a k1 already')
  expect(() => newKeys(first, 'k:2')).toThrow('letters, digits')
  expect(() => newKeys(given, 'k2')).toThrow('SESSION_KEYS is not here')
})

test('Keys appended after a last line without a newline leave it intact', () => {
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

test('The key of a PartyKit host differs from that of the rooms', () => {
  const hosted = withLines({ ...first, PARTY_HOST: 'https://cairn.example.partykit.dev' }, newKeys(first, 'party'))
  expect(settingProblems(hosted)).toEqual([])
  expect(() => newKeys(hosted, 'party')).toThrow('PARTY_PUBLISH_KEY is set already')
})
