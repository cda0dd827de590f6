import { may, type Role } from '../../contract/policy.ts'
import type { CheckedAction } from '../queries/permissions.ts'
import { AppError, forbidden, notFound } from './errors.ts'

/** Refuses as the policy says: 404 to whoever is no member, 403 to a member whose role is too low. */
export function requireRole(role: Role | null | undefined, action: CheckedAction, message: string): asserts role is Role {
  if (!role) throw notFound('The collection')
  if (!may(role, action)) throw forbidden(message)
}

/** For ids that name nothing the caller may use: the message and the field name them. */
export function unknownIds(what: string, field: string, ids: string[]): AppError {
  const message = `${what} not found: ${ids.join(', ')}`
  return new AppError('not_found', message, { fields: { [field]: message } })
}

/** For collections that somebody sees and may not add to. */
export function readOnlyMessage(names: readonly string[]): string {
  return `Your role lets you look, not add, in ${names.map((name) => `“${name}”`).join(', ')}`
}

/** The version in If-Match (`3`, `"3"` or `W/"3"`), or null where there is none or any will do. */
export function expectedVersion(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null
  const version = header.trim().match(/^(?:W\/)?"?(\d{1,9})"?$/)?.[1]
  if (version === undefined) throw new AppError('invalid', 'If-Match is the version of the row that you changed')
  return Number(version)
}
