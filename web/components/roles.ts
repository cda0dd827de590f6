import type { Said } from '#language'
import { msg } from '#say'
import type { Role } from '../../contract/policy.ts'

export const ROLE_NAMES: Record<Role, Said> = {
  guest: msg({ message: 'Guest', context: 'role' }),
  read: msg({ message: 'Reader', context: 'role' }),
  write: msg({ message: 'Writer', context: 'role' }),
  admin: msg({ message: 'Admin', context: 'role' }),
  owner: msg({ message: 'Owner', context: 'role' }),
}

/** The same, addressed to the invited person. */
export const ROLE_PROMISES: Record<Role, Said> = {
  guest: msg`You can see what the link shows.`,
  read: msg`You can see and download everything.`,
  write: msg`You can see everything, add photos and posts, and change your own.`,
  admin: msg`You can add and change everything, and manage members.`,
  owner: msg`You have full control.`,
}

export const ROLE_EXPLANATIONS: Record<Role, Said> = {
  guest: msg`Can see what their link shows.`,
  read: msg`Can see and download everything.`,
  write: msg`Can also add photos and posts, and change their own.`,
  admin: msg`Can also change everything in it and its appearance, and manage readers and writers.`,
  owner: msg`Has full control, and is the only one who can delete it.`,
}
