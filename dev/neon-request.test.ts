import { expect, test } from 'vitest'
import { BadRequest, isOutage, parseNeonRequest } from './neon-request.ts'

const CONNECTION = { 'neon-connection-string': 'postgresql://ada:p%40ss@ep-x.neon.example:5432/cairn?sslmode=require' }
const parse = (headers: Record<string, string>, body: unknown) => parseNeonRequest({ ...CONNECTION, ...headers }, JSON.stringify(body))

test('User, password and database come from the connection string, the host does not', () => {
  expect(parse({}, { query: 'select 1' })).toMatchObject({ user: 'ada', password: 'p@ss', database: 'cairn' })
})

test('A single query runs outside a transaction, a batch inside one', () => {
  expect(parse({}, { query: 'select 1' }).begin).toBeUndefined()
  expect(parse({}, { queries: [{ query: 'select 1' }] }).begin).toBe('begin')
})

test('The batch headers become the modes of its transaction', () => {
  const headers = { 'neon-batch-isolation-level': 'Serializable', 'neon-batch-read-only': 'true', 'neon-batch-deferrable': 'false' }
  expect(parse(headers, { queries: [] }).begin).toBe('begin isolation level serializable, read only, not deferrable')
  expect(() => parse({ 'neon-batch-isolation-level': 'Chaos' }, { queries: [] })).toThrow(BadRequest)
})

test.each([['{'], ['[]x'], ['"text"'], ['{"query": 1}'], ['{"query": "select 1", "params": 1}'], ['{"queries": [null]}']])(
  'The body %s is refused',
  (text) => {
    expect(() => parseNeonRequest(CONNECTION, text)).toThrow(BadRequest)
  },
)

test('A broken connection is an outage, a violated constraint is not', () => {
  expect(isOutage(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toBe(true)
  expect(isOutage(Object.assign(new Error('x'), { code: '57P01' }))).toBe(true)
  expect(isOutage(new Error('Connection terminated unexpectedly'))).toBe(true)
  expect(isOutage(Object.assign(new Error('x'), { code: '23505' }))).toBe(false)
})
