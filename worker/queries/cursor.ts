import { t } from '#say'
import { digest } from '../../contract/bytes.ts'
import { Id } from '../../contract/ids.ts'
import { AppError } from '../http/errors.ts'

/** Position in a list: the sort key as Postgres writes a timestamp in UTC, or -infinity, and the id. */
export interface Position {
  sort: string
  id: string
}

/** Opaque text for a position in the list `scope`. */
export async function writeCursor(position: Position, scope: string): Promise<string> {
  const text = `${position.sort}|${position.id}`
  return toBase64Url(`${await tagOf(text, scope)}|${text}`)
}

/** Throws `invalid` if the cursor is damaged or belongs to another list. */
export async function readCursor(cursor: string, scope: string): Promise<Position> {
  const [tag, sort, id] = (fromBase64Url(cursor) ?? '').split('|')
  if (!tag || !sort || !id || !isMoment(sort) || !Id.safeParse(id).success || tag !== (await tagOf(`${sort}|${id}`, scope))) {
    throw new AppError('invalid', t`This cursor does not belong to this list. Start again without it`, {
      fields: { cursor: t`Send nextCursor of the page before, with the same query` },
    })
  }
  return { sort, id }
}

/** The tag is no signature, so the sort key may be forged: only timestamps that Postgres can read go into the statement. */
function isMoment(sort: string): boolean {
  if (sort === '-infinity') return true
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?$/.test(sort)) return false
  const date = new Date(`${sort.slice(0, 19).replace(' ', 'T')}Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === sort.slice(0, 10)
}

async function tagOf(text: string, scope: string): Promise<string> {
  return (await digest(`${scope}\n${text}`)).slice(0, 12)
}

function toBase64Url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64Url(text: string): string | null {
  if (!/^[\w-]+$/.test(text)) return null
  try {
    const read = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    // Several spellings decode to the same bytes: the last character has unused bits.
    return toBase64Url(read) === text ? read : null
  } catch {
    return null
  }
}
