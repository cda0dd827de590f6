import type { Link, LinkAllows, LinkEdit, LinkLocation } from '../../../contract/links.ts'
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
  location: LinkLocation
  download: boolean
  askName: boolean
}

export const NEW_DRAFT: LinkDraft = {
  name: '',
  ends: 'never',
  day: '',
  protect: false,
  password: '',
  allows: 'look',
  location: 'hidden',
  download: false,
  askName: false,
}

export function draftOf({ name, endsAt, password, allows, location, download, askName }: Link): LinkDraft {
  const ends = endsAt === null ? 'never' : 'day'
  return {
    name: name ?? '',
    ends,
    day: endsAt === null ? '' : dayHere(endsAt),
    protect: password,
    password: '',
    allows,
    location,
    download,
    askName,
  }
}

/** What the server is told. `link` is the link that is changed: what stays the same is left out. */
export function settingsOf(draft: LinkDraft, now: number, link?: Link): LinkEdit {
  const { name, allows, location, download, askName } = draft
  const endsAt = endOf(draft, now)
  return {
    name: name.trim() || null,
    allows,
    location,
    download,
    askName,
    ...(link && sameEnd(draft, link) ? {} : { endsAt }),
    ...(draft.protect ? (draft.password || !link?.password ? { password: draft.password } : {}) : { password: null }),
  }
}

/** The end of a link is a moment, of which the form shows the day. */
const sameEnd = ({ ends, day }: LinkDraft, { endsAt }: Link) =>
  endsAt === null ? ends === 'never' : ends === 'day' && day === dayHere(endsAt)

function endOf({ ends, day }: LinkDraft, now: number): string | null {
  if (ends === 'never') return null
  // An empty day is no moment, and is refused as one.
  if (ends === 'day') return day && momentAt(day, '23:59').date
  return new Date(now + Number(ends) * 86_400_000).toISOString()
}
