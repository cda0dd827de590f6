import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../../contract/routes.ts'
import { z } from '../../contract/zod.ts'
import type { AppEnv } from '../context.ts'
import { onError } from './errors.ts'
import { body, query } from './validate.ts'

const named = (part: 'body' | 'query') =>
  ENDPOINTS.flatMap(({ method, path, ...endpoint }) => {
    const schema = endpoint[part]
    return schema ? [[`${method} ${path}`, schema] as const] : []
  })

/** Values of every kind, of which each schema refuses most. */
const VALUES: unknown[] = [
  undefined,
  null,
  '',
  'x',
  'x'.repeat(200_000),
  '\u0000',
  -1,
  0.5,
  1e15,
  true,
  [],
  ['x'],
  [{}],
  {},
  { surplus: 1 },
]

interface Shape {
  type?: string
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
}

/** Inputs with one wrong, missing or surplus value each, at any depth. `wrap` puts a value where this shape stands. */
function* wrongInputs(shape: Shape, wrap: (value: unknown) => unknown = (value) => value): Generator<unknown> {
  for (const value of VALUES) yield wrap(value)
  for (const option of shape.anyOf ?? []) yield* wrongInputs(option, wrap)
  if (shape.items) yield* wrongInputs(shape.items, (value) => wrap([value]))
  const names = Object.keys(shape.properties ?? {})
  for (const name of names) yield* wrongInputs(shape.properties?.[name] ?? {}, (value) => wrap({ [name]: value }))
}

const ZOD = z.locales.en().localeError

/** What zod itself would write for this input. */
function ownTexts(schema: z.ZodType, input: unknown): string[] {
  const issues = schema.safeParse(input, { reportInput: true }).error?.issues ?? []
  return issues.map((issue) => String(ZOD(issue as z.core.$ZodRawIssue)))
}

/** How zod's own texts begin or go on. */
const RAW = /^Invalid (input|option|string|key|number|UUID|URL|ISO|email)|^Unrecognized|^Too (small|big)|, received |expected /

function expectSentences(sentences: string[], schema: z.ZodType, input: unknown): void {
  const own = ownTexts(schema, input)
  for (const sentence of new Set(sentences)) {
    expect(sentence).not.toMatch(RAW)
    expect(own).not.toContain(sentence)
    expect(sentence, JSON.stringify(input)).toMatch(/^[A-Z“]|^(limit|p256dh|auth) is /)
  }
}

async function sentencesOf(response: Response): Promise<string[]> {
  if (response.status !== 400) return []
  const { error } = (await response.json()) as { error: { message: string; fields?: Record<string, string> } }
  return [error.message, ...Object.values(error.fields ?? {})]
}

const shapeOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', reused: 'inline' }) as Shape

describe('refusals are sentences for people', () => {
  test.each(named('body'))('the body of %s', async (_name, schema) => {
    const app = new Hono<AppEnv>().post('/', body(schema), (c) => c.text('')).onError(onError)
    let refused = 0
    for (const input of wrongInputs(shapeOf(schema))) {
      const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) ?? 'null' }
      const sentences = await sentencesOf(await app.request('/', request))
      refused += sentences.length
      expectSentences(sentences, schema, input)
    }
    expect(refused).toBeGreaterThan(0)
  })

  test.each(named('query'))('the query of %s', async (_name, schema) => {
    const app = new Hono<AppEnv>().get('/', query(schema), (c) => c.text('')).onError(onError)
    for (const name of [...Object.keys(shapeOf(schema).properties ?? {}), 'surplus']) {
      for (const value of ['', 'x', '-1', '0.5', '1e15', 'x'.repeat(10_000)]) {
        const answer = await app.request(`/?${new URLSearchParams({ [name]: value })}`)
        expectSentences(await sentencesOf(answer), schema, { [name]: value })
      }
    }
  })
})
