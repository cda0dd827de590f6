import { t } from '#say'
import { isId, newId } from '../../../contract/ids.ts'
import type { Entry, Guest, OpenedLink } from '../../../contract/links.ts'
import { hashSecret } from '../../auth/secret.ts'
import type { Db } from '../../db/client.ts'
import { AppError, fieldError, notFound } from '../../http/errors.ts'
import type { Holder } from '../../queries/claims.ts'
import {
  enterLink as enter,
  findGuest,
  findLinkOfGuest,
  findLinkOfSecret,
  isStillGuest,
  type LinkOfSecret,
  nameAuthor,
} from '../../queries/guests.ts'
import { forgetAttempts } from '../../queries/rate-limits.ts'
import { limitAttempts } from '../accounts/limit-attempts.ts'
import { limitNaming } from './name-guest.ts'
import { passwordMatches } from './password.ts'

export interface Visit {
  /** Or the id of the link, which opens nothing but what a guest's cookie opens (services/weekly-guests.ts). */
  secret: string
  /** The caller's network address, if the platform provides it. */
  address: string | undefined
  /** RATE_LIMIT_FACTOR. */
  factor: string | undefined
  /** The guest of this link that the browser has been, by its cookie. */
  known: (linkId: string) => Promise<Holder | null>
}

/** 128 bits in base64url. */
const SECRET = /^[\w-]{22}$/

export const hasEnded = () => new AppError('gone', t`This link has ended. Ask whoever sent it for a new one`)

/** Throws as `findOpenLink`, and 403 and 400 with `fields` for the password and the name. */
export async function enterLink(
  db: Db,
  { entry, ...visit }: Visit & { entry: Entry },
): Promise<{ guest: Guest; holder: Holder; link: OpenedLink; answers: boolean }> {
  const { address, factor, known } = visit
  const link = await findOpenLink(db, visit)
  const holder = await known(link.id)
  // A guest who is already in may give their name without the password.
  const isIn = entry.password === undefined && holder !== null && (await isStillGuest(db, holder))
  if (link.password !== null && !isIn) await requirePassword(db, link, { password: entry.password, address, factor })
  const back = await findGuest(db, link.id, holder?.guest ?? null)
  if (link.askName && !entry.name && !back?.name) throw fieldError('invalid', 'name', t`Say who you are`)
  const renamed = back !== null && entry.name !== undefined && entry.name !== back.name
  if (renamed) await limitNaming(db, { link: link.id, guest: back.id }, factor)
  if (!back)
    await limitAttempts(db, { actions: ['newGuest'], link: link.id, factor, what: (wait) => t`Too many new guests. Try again in ${wait}` })
  const entered = await enter(db, { link, known: back?.id ?? null, id: newId(), access: newId(), name: entry.name ?? null })
  if (!entered) throw hasEnded()
  // Also by the same name: the time before, this may have failed.
  if (back && entry.name !== undefined) await nameAuthor(db, back.id)
  const { access, ...guest } = entered.guest
  // Entering once more does not hide how the browser came back.
  const mark = holder?.guest === guest.id && holder.back !== undefined ? { back: holder.back } : {}
  return { guest, holder: { link: link.id, guest: guest.id, access, ...mark }, link: entered.link, answers: entered.answers }
}

/** Throws 404 for an unknown secret, 410 for an ended link, 429 for too many attempts; guests who are in already may look around. */
export async function findOpenLink(db: Db, { secret, address, factor, known }: Visit): Promise<LinkOfSecret> {
  if (isId(secret)) return findOwnLink(db, secret, known)
  const link = SECRET.test(secret) ? await findLinkOfSecret(db, await hashSecret(secret)) : null
  if (!link || (await known(link.id)) === null)
    await limitAttempts(db, { actions: ['enterLink'], address, factor, what: (wait) => t`Too many links. Try again in ${wait}` })
  if (!link) throw notFound(t`The link was not found`)
  if (!link.open) throw hasEnded()
  return link
}

async function findOwnLink(db: Db, id: string, known: Visit['known']): Promise<LinkOfSecret> {
  const holder = await known(id)
  const link = holder && (await findLinkOfGuest(db, holder))
  if (!link) throw new AppError('not_found', t`This address works in the browser in which you opened the link. Open the link itself`)
  if (!link.open) throw hasEnded()
  return link
}

async function requirePassword(
  db: Db,
  link: LinkOfSecret,
  { password, address, factor }: { password: string | undefined; address: string | undefined; factor: string | undefined },
): Promise<void> {
  if (password === undefined) throw fieldError('forbidden', 'password', t`This link has a password`)
  const slowed = await limitAttempts(db, { actions: ['linkPassword'], link: link.id, address, factor })
  if (!(await passwordMatches(password, link.password ?? ''))) throw fieldError('forbidden', 'password', t`The password is wrong`)
  await forgetAttempts(db, slowed)
}
