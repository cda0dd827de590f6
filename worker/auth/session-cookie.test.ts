import { CompactEncrypt } from 'jose'
import { describe, expect, test } from 'vitest'
import type { Session } from './provider.ts'
import { parseSessionKeys } from './sealed.ts'
import { SessionCookies, sealSession, unsealSession } from './session-cookie.ts'

const key = (kid: string, byte: number) => `${kid}:${Buffer.alloc(32, byte).toString('base64')}`
const KEYS = parseSessionKeys(key('k1', 1))
const session: Session = { accessToken: 'a.b.c', expiresAt: 1_900_000_000_000, credential: 'better-auth.session_token=x' }
const long = (length: number): Session => ({ ...session, accessToken: 'x'.repeat(length) })
const cookies = new SessionCookies('http://127.0.0.1:4747')

/** Cookies of the browser after these Set-Cookie lines. */
function jar(lines: string[], current: Record<string, string> = {}): Record<string, string> {
  const after = { ...current }
  for (const line of lines) {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    if (line.includes('Max-Age=0')) delete after[pair.slice(0, at)]
    else after[pair.slice(0, at)] = pair.slice(at + 1)
  }
  return after
}

async function open(current: Record<string, string>, keys = KEYS) {
  const sealed = cookies.join(current)
  return sealed === null ? null : unsealSession(sealed, keys)
}

const stored = async (what: Session) => jar(cookies.store(await sealSession(what, KEYS), {}))

describe('sealed sessions', () => {
  test('a sealed session is restored from one or several cookies', async () => {
    for (const size of [10, 2_000, 3_000, 9_000]) {
      expect(await open(await stored(long(size)))).toEqual({ session: long(size), retired: false })
    }
  })

  test('a sealed session of up to 3180 characters is in one cookie called session', async () => {
    expect(Object.keys(await stored(session))).toEqual(['session'])
    const current = await stored(long(5_000))
    expect(Object.keys(current)).toEqual(['session.0', 'session.1', 'session.2'])
    expect(
      Object.values(current)
        .map((chunk) => chunk.length)
        .slice(0, 2),
    ).toEqual([3180, 3180])
  })

  test('a sealed session is not readable', async () => {
    const [value = ''] = Object.values(await stored(session))
    for (const part of value.split('.')) expect(Buffer.from(part, 'base64url').toString('latin1')).not.toContain('better-auth')
  })

  test('a session sealed with a retired key is opened and marked as retired', async () => {
    const rotated = parseSessionKeys(`${key('k2', 2)},${key('k1', 1)}`)
    expect(await open(await stored(session), rotated)).toEqual({ session, retired: true })
    const again = jar(cookies.store(await sealSession(session, rotated), {}))
    expect(await open(again, rotated)).toEqual({ session, retired: false })
  })
})

describe('invalid cookies', () => {
  test('a cookie with a flipped bit is refused', async () => {
    const { session: sealed = '' } = await stored(session)
    const parts = sealed.split('.')
    for (const [n, part] of parts.entries()) {
      const bytes = Buffer.from(part, 'base64url')
      for (const at of [0, bytes.length >> 1, bytes.length - 1].filter((at) => at >= 0 && at < bytes.length)) {
        const bent = Buffer.from(bytes)
        bent[at] = (bent[at] ?? 0) ^ 1
        const value = parts.with(n, bent.toString('base64url')).join('.')
        expect(await open({ session: value })).toBeNull()
      }
    }
  })

  test('a truncated cookie is refused', async () => {
    const { session: sealed = '' } = await stored(session)
    for (const length of [0, 1, 10, 100, sealed.length - 30, sealed.length - 1]) {
      expect(await open({ session: sealed.slice(0, length) })).toBeNull()
    }
  })

  test('swapped chunks are refused', async () => {
    const current = await stored(long(5_000))
    expect(await open({ ...current, 'session.0': current['session.1'] ?? '', 'session.1': current['session.0'] ?? '' })).toBeNull()
  })

  test.each(['session.0', 'session.1', 'session.2'])('chunks without %s are refused', async (missing) => {
    const { [missing]: _, ...current } = await stored(long(5_000))
    expect(await open(current)).toBeNull()
  })

  test('six chunks are refused', async () => {
    const sealed = await sealSession(session, KEYS)
    const size = Math.ceil(sealed.length / 6)
    const current = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`session.${n}`, sealed.slice(n * size, (n + 1) * size)]))
    expect(Object.values(current).join('')).toBe(sealed)
    expect(await open(current)).toBeNull()
  })

  test('a cookie sealed with an unknown key or key id is refused', async () => {
    const current = await stored(session)
    expect(await open(current, parseSessionKeys(key('other', 1)))).toBeNull()
    expect(await open(current, parseSessionKeys(key('k1', 9)))).toBeNull()
    const nameless = new CompactEncrypt(new TextEncoder().encode(JSON.stringify(session))).setProtectedHeader({
      alg: 'dir',
      enc: 'A256GCM',
    })
    expect(await open({ session: await nameless.encrypt(Buffer.alloc(32, 1)) })).toBeNull()
  })

  test('a cookie with another algorithm or other content is refused', async () => {
    const seal = (text: string, alg: string, enc: string, secret: Uint8Array) =>
      new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader({ alg, enc, kid: 'k1' }).encrypt(secret)
    const ours = Buffer.alloc(32, 1)
    expect(await open({ session: await seal(JSON.stringify(session), 'dir', 'A128CBC-HS256', ours) })).toBeNull()
    expect(await open({ session: await seal(JSON.stringify(session), 'A256KW', 'A256GCM', ours) })).toBeNull()
    expect(await open({ session: await seal('{"accessToken":1}', 'dir', 'A256GCM', ours) })).toBeNull()
    expect(await open({ session: await seal('not JSON', 'dir', 'A256GCM', ours) })).toBeNull()
  })

  test.each(['', 'x', '....', 'a.b.c', 'a'.repeat(4_000), '%00', '🏔️', 'null'])('the cookie %j is refused', async (value) => {
    expect(await open({ session: value })).toBeNull()
  })
})

describe('session cookies', () => {
  test('storing a session expires cookies of an earlier session with another number of chunks', async () => {
    const three = await stored(long(5_000))
    const one = jar(cookies.store(await sealSession(session, KEYS), three), three)
    expect(Object.keys(one)).toEqual(['session'])
    const again = jar(cookies.store(await sealSession(long(3_000), KEYS), one), one)
    expect(Object.keys(again)).toEqual(['session.0', 'session.1'])
  })

  test('session cookies are HttpOnly and last 400 days', async () => {
    const [line] = cookies.store('x', {})
    expect(line).toBe('session=x; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax')
  })

  test('session cookies on https are Secure and have the prefix __Host-', () => {
    const secure = new SessionCookies('https://cairn.example')
    expect(secure.store('x', {})).toEqual(['__Host-session=x; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax; Secure'])
    expect(secure.join({ session: 'x' })).toBeNull()
  })

  test('clear expires all session cookies and no others', () => {
    const cleared = cookies.clear({ session: '', 'session.0': 'x', 'session.77': 'y', sessions: 'z', 'session.x': 'z', theme: 'dark' })
    expect(cleared.map((line) => line.split('=')[0])).toEqual(['session', 'session.0', 'session.77'])
    for (const line of cleared) expect(line).toContain('Max-Age=0; Path=/')
  })

  test('store throws for a session of more chunks than can be read', () => {
    expect(() => cookies.store('x'.repeat(3180 * 5 + 1), {})).toThrow('at most 5')
  })
})
