import type { MiddlewareHandler } from 'hono'
import { validator } from 'hono/validator'
import type { z } from 'zod'
import { Id, UserId } from '../../contract/ids.ts'
import type { AppEnv } from '../context.ts'
import { AppError } from './errors.ts'
import { readJson } from './read-json.ts'

/** Parses the JSON body with a schema of the contract: 413 when too large, 415 for another type, 400 with `fields` otherwise. */
export function body<S extends z.ZodType>(
  schema: S,
): MiddlewareHandler<AppEnv, string, { in: { json: z.input<S> }; out: { json: z.output<S> } }> {
  return async (c, next) => {
    c.req.addValidatedData('json', parse(schema, await readJson(c.req.raw)) as object)
    await next()
  }
}

/** Parses the query string with a schema of the contract. A parameter without a value is no zero. */
export function query<S extends z.ZodType>(schema: S) {
  return validator('query', (value) => {
    const [empty] = Object.entries(value).find(([, text]) => text === '') ?? []
    if (empty !== undefined)
      throw new AppError('invalid', `Give ${empty} a value, or leave it out`, { fields: { [empty]: 'This is empty' } })
    return parse(schema, value)
  })
}

/** A path parameter that must be a UUID: anything else names nothing, so 404. */
export function idParam(value: string | undefined, what: string): string {
  const result = Id.safeParse(value)
  if (!result.success) throw new AppError('not_found', `${what} was not found`)
  return result.data.toLowerCase()
}

/** A path parameter that must be able to be a user's id. */
export function userIdParam(value: string | undefined): string {
  const result = UserId.safeParse(value)
  if (!result.success) throw new AppError('not_found', 'The member was not found')
  return result.data
}

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // No prototype: a field called `constructor` must not look as if it were there already.
  const fields: Record<string, string> = Object.create(null)
  for (const issue of result.error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
    for (const name of names) fields[name.join('.')] ??= issue.code === 'unrecognized_keys' ? 'This field is not known' : issue.message
  }
  throw new AppError('invalid', Object.values(fields)[0] ?? 'The request is not valid', { fields })
}
