import { describe, expect, test } from 'vitest'
import { AppError } from './errors.ts'
import { readJson } from './read-json.ts'

const URL = 'http://cairn.test/api/post'
const read = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  readJson(new Request(URL, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })).catch(
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )

describe('valid JSON', () => {
  test.each([
    ['an object', '{"a":{"b":[1,{"a":"x"}]},"c":"}{\\"a\\":"}', { a: { b: [1, { a: 'x' }] }, c: '}{"a":' }],
    ['one name in two objects', '[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
    ['a value like a name', '{"a":"a","b":["a","a"]}', { a: 'a', b: ['a', 'a'] }],
    ['white space', ' \n{\t"a" :\r1 } ', { a: 1 }],
  ])('readJson accepts %s', async (_what, text, value) => {
    expect(await read(text)).toEqual(value)
  })

  test.each(['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"', 'application/json; x=1'])(
    'readJson accepts the media type %s',
    async (type) => {
      expect(await read('{}', { 'content-type': type })).toEqual({})
    },
  )
})

describe('invalid JSON', () => {
  test.each([
    ['a duplicate name', '{"role":"read","role":"owner"}'],
    ['a duplicate name in two spellings', '{"role":"read","\\u0072ole":"owner"}'],
    ['a nested duplicate name', '{"a":[{"b":{"c":1,"d":2,"c":3}}]}'],
    ['__proto__', '{"a":{"__proto__":{"role":"owner"}}}'],
    ['__proto__ in another spelling', '{"\\u005f_proto__":1}'],
    ['a byte order mark', '\ufeff{}'],
    ['an unterminated string', '{"a'],
    ['an empty body', ''],
    ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`],
    ['a million brackets', '['.repeat(2 ** 20)],
  ])('readJson refuses %s', async (_what, text) => {
    expect(await read(text)).toBe('invalid')
  })

  test.each([
    ['role', '{"role":"read","role":"owner"}'],
    ['assets.1.__proto__', '{"other":[1,[2,3],{"a":4}],"assets":[{"name":"a,[{"},{"name":"b","__proto__":{}}]}'],
    ['0.1.a', '[[{},{"a":1,"a":2}]]'],
  ])('readJson names %s, where it stands in the body', async (path, body) => {
    const request = new Request(URL, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    await expect(readJson(request)).rejects.toMatchObject({ fields: { [path]: expect.any(String) } })
  })

  test('readJson refuses bytes that are not UTF-8', async () => {
    expect(await read(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe('invalid')
    expect(await read(new Uint8Array(Buffer.from('{"a":1}', 'utf16le')))).toBe('invalid')
  })

  test.each([
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/json-patch+json' }],
    [{ 'content-type': 'application/json; charset=utf-16' }],
    [{ 'content-encoding': 'gzip' }],
  ])('readJson refuses a request with %j', async (headers) => {
    expect(await read('{}', headers as Record<string, string>)).toBe('unsupported_media')
  })

  test('readJson refuses a body one byte above the limit', async () => {
    const fits = JSON.stringify('x'.repeat(2 ** 20 - 2))
    expect(await read(fits)).toHaveLength(2 ** 20 - 2)
    expect(await read(`${fits} `)).toBe('too_large')
  })
})

test.each([
  ['objects', `[${'{},'.repeat(340_000)}{}]`],
  ['names', `{${Array.from({ length: 85_000 }, (_, n) => `"a${n}":1`).join(',')}}`],
  ['escapes', `{${Array.from({ length: 60_000 }, (_, n) => `"\\n${n}":1`).join(',')}}`],
  ['white space', `{"a"${' '.repeat(1_000_000)}:1}`],
])('readJson reads a mebibyte of %s in linear time', async (_what, text) => {
  // CPU time in µs, because other tests run in parallel. A quadratic reader would take minutes.
  const begin = process.threadCpuUsage()
  expect(await read(text)).not.toBe('too_large')
  expect(process.threadCpuUsage(begin).user).toBeLessThan(1_000_000)
})
