import type { Role } from '../../contract/policy.ts'

export const ROLE_NAMES: Record<Role, string> = {
  guest: 'Guest',
  read: 'Reader',
  write: 'Writer',
  admin: 'Admin',
  owner: 'Owner',
}

/** The same, addressed to the invited person. */
export const ROLE_PROMISES: Record<Role, string> = {
  guest: 'You can see what the link shows.',
  read: 'You can see and download everything.',
  write: 'You can see everything, add photos and posts, and change your own.',
  admin: 'You can add and change everything, and manage members.',
  owner: 'You have full control.',
}

export const ROLE_EXPLANATIONS: Record<Role, string> = {
  guest: 'Can see what their link shows.',
  read: 'Can see and download everything.',
  write: 'Can also add photos and posts, and change their own.',
  admin: 'Can also change everything in it and its appearance, and manage readers and writers.',
  owner: 'Has full control, and is the only one who can delete it.',
}
