import { afterAll, beforeAll, expect, test } from 'vitest'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { Client } from '../../dev/http-client.ts'
import { type Stack, startStack } from '../../dev/stack.ts'

const PATH = '/.well-known/security.txt'
let stack: Stack
beforeAll(async () => {
  stack = await startStack({ worker: WORKER_BUNDLE, assets: false, vars: { SECURITY_CONTACT: 'mailto:security@cairn.example' } })
})
afterAll(() => stack?.stop())

test('A site with a contact for security names it as RFC 9116 says, for less than a year', async () => {
  const { status, headers, bytes } = await new Client(stack.origin).get(PATH)
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain; charset=utf-8$/i)])
  const fields = new TextDecoder()
    .decode(bytes)
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/: (.*)/))
  expect(fields.map(([name]) => name)).toEqual(['Contact', 'Expires', 'Preferred-Languages', 'Canonical'])
  const value = (name: string) => fields.find(([one]) => one === name)?.[1] ?? ''
  expect(value('Contact')).toBe('mailto:security@cairn.example')
  expect(value('Canonical')).toBe(stack.origin + PATH)
  const days = (Date.parse(value('Expires')) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(90)
  expect(days).toBeLessThan(365)
})
