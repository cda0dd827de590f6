import { joined } from '#language'
import { msg, t } from '#say'
import { may, type Role } from '../../contract/policy.ts'
import type { CheckedAction } from '../queries/permissions.ts'
import { AppError, collectionNotFound, fieldError, forbidden } from './errors.ts'

/** Throws 404 if the caller is not a member, 403 if the policy does not permit the action to their role. */
export function requireRole(role: Role | null | undefined, action: CheckedAction, message: string): asserts role is Role {
  if (!role) throw collectionNotFound()
  if (!may(role, action)) throw forbidden(message)
}

/** 404 for ids that the caller may not use. The message and `fields[field]` list them. */
export function unknownIds(sentence: (ids: string) => string, field: string, ids: string[]): AppError {
  return fieldError('not_found', field, sentence(ids.join(', ')))
}

/** The rule of docs/decisions/039 as a sentence. */
export const NOT_YOURS_TO_CHANGE = msg`Only admins of its collections may change this, and its author while they may write in all of them. Its author may copy it`

export function readOnlyMessage(names: readonly string[]): string {
  return t`Your role lets you look, not add, in ${{ collections: joined(names.map((name) => t`“${name}”`)) }}`
}

/** The version in If-Match (`3`, `"3"` or `W/"3"`), or null if there is none or it is `*`. */
export function expectedVersion(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null
  const version = header.trim().match(/^(?:W\/)?"?(\d{1,9})"?$/)?.[1]
  if (version === undefined) throw new AppError('invalid', t`If-Match is the version of the row that you changed`)
  return Number(version)
}
