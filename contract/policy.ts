import { t } from '#say'
import type { TokenScope } from './tokens.ts'
import { oneOf, z } from './zod.ts'

/** Lowest first. A collection has exactly one owner. */
export const MEMBER_ROLES = ['read', 'write', 'admin', 'owner'] as const
/** A guest has opened a link, and is not a member. */
export const ROLES = ['guest', ...MEMBER_ROLES] as const
export const Role = z.enum(ROLES)
export type Role = z.infer<typeof Role>

/** Roles that an invitation can grant. */
export const InviteRole = oneOf(['read', 'write', 'admin'])
export type InviteRole = z.infer<typeof InviteRole>

/** Lowest role that may comment and react in a collection. */
export const AnswerRole = z.enum(['read', 'write', 'admin'], {
  error: () => t`Choose ${{ choices: 'read, write, admin' }}, or ${{ none: 'null' }} for nobody`,
})
export type AnswerRole = z.infer<typeof AnswerRole>

type Rule = Role | { own: Role; any: Role }

/** Lowest role for each action. `own` applies to the member's own items. */
export const POLICY = {
  'collection.see': 'guest',
  'collection.leave': 'read',
  'item.add': 'write',
  'item.link': 'write',
  'item.edit': { own: 'write', any: 'admin' },
  'item.remove': { own: 'write', any: 'admin' },
  /** In collections whose `answers` permit it (`mayAnswer`). */
  'comment.add': 'guest',
  'comment.hide': 'admin',
  'comment.seeHidden': 'admin',
  'people.edit': 'write',
  'members.seeEmails': 'admin',
  'invites.see': 'admin',
  'members.manage': 'admin',
  'members.grantAdmin': 'owner',
  /** Links for people without an account: to anything, or to own items alone. */
  'links.make': { own: 'write', any: 'admin' },
  'collection.edit': 'admin',
  'collection.transfer': 'owner',
  'collection.delete': 'owner',
} as const satisfies Record<string, Rule>

export type Action = keyof typeof POLICY
const ACTIONS = Object.keys(POLICY) as Action[]

export function rank(role: Role): number {
  return ROLES.indexOf(role)
}

/** True if the role permits the action. `own`: the item is the member's own. */
export function may(role: Role | null | undefined, action: Action, own = false): boolean {
  if (!role) return false
  if (action === 'collection.leave' && role === 'owner') return false
  const rule: Rule = POLICY[action]
  const needed = typeof rule === 'string' ? rule : own ? rule.own : rule.any
  return rank(role) >= rank(needed)
}

/** True if `actor` may grant, change or remove the role `target`: only roles below their own, and admin only as owner. */
export function mayAssign(actor: Role, target: Role): boolean {
  if (target === 'owner' || target === 'guest') return false
  return may(actor, target === 'admin' ? 'members.grantAdmin' : 'members.manage') && rank(target) < rank(actor)
}

/**
 * True if somebody may comment and react in a collection in which `answers` is the lowest role that may; null means nobody. Guests may where all members
 * may, if their link allows it.
 */
export function mayAnswer(role: Role | null | undefined, answers: AnswerRole | null): boolean {
  if (!role || answers === null) return false
  return role === 'guest' ? answers === 'read' : rank(role) >= rank(answers)
}

/** Actions that change nothing. */
const SEEING: readonly Action[] = ['collection.see', 'comment.seeHidden', 'members.seeEmails', 'invites.see']

/**
 * Permissions of a role, as sent with a collection. `item.edit` and `item.remove` are for the items of others. With the `scope` of an access token, what it
 * may do: calls about links take no token.
 */
export function permissionsOf(role: Role, scope?: TokenScope): Record<Action, boolean> {
  const permits = (action: Action) => (scope === 'read' ? SEEING.includes(action) : !scope || action !== 'links.make')
  return Object.fromEntries(ACTIONS.map((action) => [action, may(role, action) && permits(action)])) as Record<Action, boolean>
}

export const Permissions = z.record(z.enum(ACTIONS as [Action, ...Action[]]), z.boolean())
