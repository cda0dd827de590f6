import type { Role } from '../../contract/policy.ts'

export const ROLE_NAMES: Record<Role, string> = {
  read: 'Reader',
  write: 'Writer',
  admin: 'Admin',
  owner: 'Owner',
}

/** The same, addressed to the invited person. */
export const ROLE_PROMISES: Record<Role, string> = {
  read: 'You see and download everything.',
  write: 'You see everything, add photos and posts, and change your own.',
  admin: 'You add and change everything, and say who else takes part.',
  owner: 'You may do everything.',
}

export const ROLE_EXPLANATIONS: Record<Role, string> = {
  read: 'Sees and downloads everything.',
  write: 'Also adds photos and posts, and changes their own.',
  admin: 'Also changes everything in it, the look of it, and who is a reader or writer.',
  owner: 'May do everything, and is the one who can delete it.',
}
