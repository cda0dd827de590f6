import { z } from './zod.ts'

/** Lowest first. A collection has exactly one owner. */
export const ROLES = ['read', 'write', 'admin', 'owner'] as const
export const Role = z.enum(ROLES)
export type Role = z.infer<typeof Role>

/** Roles that an invitation can grant. */
export const InviteRole = z.enum(['read', 'write', 'admin'], { error: 'Choose read, write or admin' })
export type InviteRole = z.infer<typeof InviteRole>

type Rule = Role | { own: Role; any: Role }

/** Lowest role for each action. `own` applies to the member's own items. */
export const POLICY = {
  'collection.see': 'read',
  'collection.leave': 'read',
  'item.add': 'write',
  'item.link': 'write',
  'item.edit': { own: 'write', any: 'admin' },
  'item.remove': { own: 'write', any: 'admin' },
  'people.edit': 'write',
  'members.seeEmails': 'admin',
  'invites.see': 'admin',
  'members.manage': 'admin',
  'members.grantAdmin': 'owner',
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
  if (target === 'owner') return false
  return may(actor, target === 'admin' ? 'members.grantAdmin' : 'members.manage') && rank(target) < rank(actor)
}

/** Permissions of a role, as sent with a collection. `item.edit` and `item.remove` are for the items of others. */
export function permissionsOf(role: Role): Record<Action, boolean> {
  return Object.fromEntries(ACTIONS.map((action) => [action, may(role, action)])) as Record<Action, boolean>
}

export const Permissions = z.record(z.enum(ACTIONS as [Action, ...Action[]]), z.boolean())
