import { type SQL, sql } from 'drizzle-orm'
import { base64url } from 'jose'
import { t } from '#say'
import { digest } from '../../contract/bytes.ts'
import { Id } from '../../contract/ids.ts'
import { AppError } from '../http/errors.ts'

/** Position in a list: the sort key as Postgres writes a timestamp in UTC, or -infinity, and the id. */
export interface Position {
  sort: string
  id: string
}

/** The position, to compare rows of sort key and id with. */
export const positionSql = ({ sort, id }: Position): SQL => sql`(${sort}::timestamp at time zone 'UTC', ${id}::uuid)`

/** The cursor of the next page. Null if there is none: then so are `sort` and `id`. */
export async function cursorAfter({ sort, id }: { sort: string | null; id: string | null }, scope: string): Promise<string | null> {
  return sort !== null && id !== null ? writeCursor({ sort, id }, scope) : null
}

/** Opaque text for a position in the list `scope`. */
export async function writeCursor(position: Position, scope: string): Promise<string> {
  const text = `${position.sort}|${position.id}`
  return base64url.encode(`${await tagOf(text, scope)}|${text}`)
}

/** Throws `invalid` if the cursor is damaged or belongs to another list. */
export async function readCursor(cursor: string, scope: string): Promise<Position> {
  const [tag, sort, id] = decoded(cursor).split('|')
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

/** Empty for what `writeCursor` would not write: several spellings decode to the same bytes, because the last character has unused bits. */
function decoded(cursor: string): string {
  try {
    const bytes = base64url.decode(cursor)
    return base64url.encode(bytes) === cursor ? new TextDecoder().decode(bytes) : ''
  } catch {
    return ''
  }
}
