import { z } from './zod.ts'

/** Lowest first. Exactly one member of a collection is its owner. */
export const ROLES = ['read', 'write', 'admin', 'owner'] as const
export const Role = z.enum(ROLES)
export type Role = z.infer<typeof Role>

/** Roles that an invitation can carry. */
export const InviteRole = z.enum(['read', 'write', 'admin'], { error: 'Choose read, write or admin' })
export type InviteRole = z.infer<typeof InviteRole>

type Rule = Role | { own: Role; any: Role }

/** Lowest role that may do each thing; `own` where the author may do it one rung lower. */
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

/** Whether a member of this role may do it. `own`: the thing is the member's own. */
export function may(role: Role | null | undefined, action: Action, own = false): boolean {
  if (!role) return false
  if (action === 'collection.leave' && role === 'owner') return false
  const rule: Rule = POLICY[action]
  const needed = typeof rule === 'string' ? rule : own ? rule.own : rule.any
  return rank(role) >= rank(needed)
}

/** Whether `actor` may give, change or take away `target`: never at or above their own; the owner may grant admin. */
export function mayAssign(actor: Role, target: Role): boolean {
  if (target === 'owner') return false
  return may(actor, target === 'admin' ? 'members.grantAdmin' : 'members.manage') && rank(target) < rank(actor)
}

/** What a member may do, as sent with a collection. `item.edit` and `item.remove` say whether they may do it to everybody's items. */
export function permissionsOf(role: Role): Record<Action, boolean> {
  return Object.fromEntries(ACTIONS.map((action) => [action, may(role, action)])) as Record<Action, boolean>
}

export const Permissions = z.record(z.enum(ACTIONS as [Action, ...Action[]]), z.boolean())
