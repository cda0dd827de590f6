import { t } from '#say'
import type { LinkAllows } from '../../../contract/guest.ts'
import type { Link, LinkEdit, LinkLocation } from '../../../contract/links.ts'
import type { InviteRole } from '../../../contract/policy.ts'
import { ApiError } from '../../lib/api.ts'
import { dayHere, momentAt } from '../../lib/dates/moments.ts'

/** When a link ends: never, so many days from now, or at the end of a day. */
export type Ends = 'never' | '1' | '7' | '30' | 'day'

/** The fields of a link as the form has them. */
export interface LinkDraft {
  name: string
  ends: Ends
  /** `YYYY-MM-DD` for `ends: 'day'`. */
  day: string
  protect: boolean
  /** Empty to keep the one that the link has. */
  password: string
  allows: LinkAllows
  /** An admin must accept added files. */
  approve: boolean
  location: LinkLocation
  download: boolean
  askName: boolean
  /** Apps in which the link is sent show its title and newest picture. */
  preview: boolean
  /** Readers may ask to become members, in this role. */
  join: boolean
  role: InviteRole
}

export const NEW_DRAFT: LinkDraft = {
  name: '',
  ends: 'never',
  day: '',
  protect: false,
  password: '',
  allows: 'look',
  approve: true,
  location: 'hidden',
  download: false,
  askName: false,
  preview: true,
  join: false,
  role: 'read',
}

export function draftOf({ name, endsAt, password, allows, approve, location, download, askName, preview, join, role }: Link): LinkDraft {
  const ends = endsAt === null ? 'never' : 'day'
  return {
    name: name ?? '',
    ends,
    day: endsAt === null ? '' : dayHere(endsAt),
    protect: password,
    password: '',
    allows,
    approve,
    location,
    download,
    askName,
    preview,
    join,
    role: role ?? 'read',
  }
}

/** The settings without those that only a link to the whole collection can have. */
export const ofPart = (draft: LinkDraft): LinkDraft => ({ ...draft, join: false, allows: draft.allows === 'add' ? 'answer' : draft.allows })

/** The body of a call that makes a link. */
export function settingsOf(draft: LinkDraft, now: number): LinkEdit {
  const { name, allows, approve, location, download, askName, preview, join, role, protect, password } = draft
  return {
    name: name.trim() || null,
    allows,
    approve,
    location,
    download,
    askName,
    preview,
    ...(join ? { join, role } : { join }),
    endsAt: endOf(draft, now),
    password: protect ? password : null,
  }
}

/** The body of a call that changes a link: only what differs, so that it undoes no change of somebody else. */
export function changesOf(draft: LinkDraft, now: number, link: Link): LinkEdit {
  const { endsAt, password, ...rest } = settingsOf(draft, now)
  const changed = Object.fromEntries(Object.entries(rest).filter(([key, value]) => value !== link[key as keyof typeof rest]))
  return {
    ...changed,
    ...('role' in changed && { join: true }),
    ...(sameEnd(draft, link, now) ? {} : { endsAt }),
    ...(draft.protect ? (draft.password || !link.password ? { password } : {}) : link.password ? { password: null } : {}),
  }
}

/** The end of a link is a moment, of which the form shows the day. One that is over must be chosen anew. */
const sameEnd = ({ ends, day }: LinkDraft, { endsAt }: Link, now: number) =>
  endsAt === null ? ends === 'never' : ends === 'day' && day === dayHere(endsAt) && Date.parse(endsAt) > now

/** The last minute of a day here. */
function endOf({ ends, day }: LinkDraft, now: number): string | null {
  if (ends === 'never') return null
  const last = ends === 'day' ? day : dayHere(new Date(now + Number(ends) * 86_400_000).toISOString())
  return momentAt(last, '23:59').date
}

/** Throws ApiError with `fields` if something is missing. */
export function requireComplete({ ends, day, protect, password }: LinkDraft, hasPassword: boolean): void {
  const fields = {
    ...(ends === 'day' && !day && { endsAt: t`Choose the last day on which the link opens` }),
    ...(protect && !password && !hasPassword && { password: t`Enter a password` }),
  }
  const message = Object.values(fields)[0]
  if (message) throw new ApiError('invalid', message, { status: 400, fields })
}
