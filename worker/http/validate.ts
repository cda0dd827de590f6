import type { MiddlewareHandler } from 'hono'
import { validator } from 'hono/validator'
import type { z } from 'zod'
import { t } from '#say'
import { LINK_PARAM } from '../../contract/guest.ts'
import { Id, UserId } from '../../contract/ids.ts'
import type { AppEnv } from '../context.ts'
import { AppError, collectionNotFound } from './errors.ts'
import { readJson } from './read-json.ts'

/** Parses the JSON body with a schema of the contract. Throws 413 if it is too large, 415 for another media type, else 400 with `fields`. */
export function body<S extends z.ZodType>(
  schema: S,
): MiddlewareHandler<AppEnv, string, { in: { json: z.input<S> }; out: { json: z.output<S> } }> {
  return async (c, next) => {
    c.req.addValidatedData('json', parse(schema, await readJson(c.req.raw)) as object)
    await next()
  }
}

/**
 * Parses the query string with a schema of the contract, without what names the link of a guest (auth/guest.ts). Refuses empty values, which would be
 * coerced to 0.
 */
export function query<S extends z.ZodType>(schema: S) {
  return validator('query', ({ [LINK_PARAM]: _, ...value }) => {
    const [empty] = Object.entries(value).find(([, text]) => text === '') ?? []
    if (empty !== undefined)
      throw new AppError('invalid', t`Give ${{ field: empty }} a value, or leave it out`, { fields: { [empty]: t`This is empty` } })
    return parse(schema, value)
  })
}

/** A path parameter that is a UUID. Throws 404 with this message for anything else. */
export function idParam(value: string | undefined, message: string): string {
  const result = Id.safeParse(value)
  if (!result.success) throw new AppError('not_found', message)
  return result.data
}

/** The context of a route with these path parameters. */
export interface WithParam<N extends string> {
  req: { param(name: N): string | undefined }
}

/** The `:id` of a path below a collection. Throws 404 if it is not a UUID. */
export function collectionParam(c: WithParam<'id'>): string {
  const result = Id.safeParse(c.req.param('id'))
  if (!result.success) throw collectionNotFound()
  return result.data
}

/** The `:id` of a path below an asset. Throws 404 if it is not a UUID. */
export const assetParam = (c: WithParam<'id'>) => idParam(c.req.param('id'), t`The asset was not found`)

/** A path parameter that can be a user's id. Throws 404 for anything else. */
export function userIdParam(value: string | undefined): string {
  const result = UserId.safeParse(value)
  if (!result.success) throw new AppError('not_found', t`The member was not found`)
  return result.data
}

/** Throws 400 with `fields`. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // Without a prototype, so that a field called `constructor` is not found in it.
  const fields: Record<string, string> = Object.create(null)
  for (const issue of result.error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
    for (const name of names) fields[name.join('.')] ??= issue.message
  }
  throw new AppError('invalid', Object.values(fields)[0] ?? t`The request is not valid`, { fields })
}
