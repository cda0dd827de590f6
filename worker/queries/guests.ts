import { sql } from 'drizzle-orm'
import { t } from '#say'
import type { LinkAllows } from '../../contract/guest.ts'
import type { Guest, OpenedLink } from '../../contract/links.ts'
import { type Db, firstRow, firstRows, rows } from '../db/client.ts'
import { notFound } from '../http/errors.ts'
import { SHOWN_AS } from './group-shape.ts'
import type { RoomPerson } from './live.ts'
import { ITEMS, type ItemKind } from './permissions.ts'

/** A link by the hash of its secret. `open`: it has not ended. `password` is its slow hash. */
export interface LinkOfSecret {
  id: string
  open: boolean
  password: string | null
  askName: boolean
  /** Anyone may see its title and newest picture. */
  preview: boolean
}

export async function findLinkOfSecret(db: Db, hash: string): Promise<LinkOfSecret | null> {
  return firstRow<LinkOfSecret>(db, sql`select ${LINK} from links l where l.hash = ${hash}`)
}

/** The link of a guest who may still come in, as `isStillGuest`. */
export async function findLinkOfGuest(db: Db, { guest, access }: { guest: string; access: string }): Promise<LinkOfSecret | null> {
  return firstRow<LinkOfSecret>(
    db,
    sql`select ${LINK} from guests g join links l on l.id = g.link_id where g.id = ${guest} and g.access = ${access}::uuid`,
  )
}

const LINK = sql`l.id, link_open(l) as open, l.password, l.ask_name as "askName", l.preview and l.password is null and not l.ask_name as preview`

/** Whether the guest may still come in with this access, which ends with the password. */
export async function isStillGuest(db: Db, { guest, access }: { guest: string; access: string }): Promise<boolean> {
  const row = await firstRow<{ still: boolean }>(
    db,
    sql`select exists (select from guests where id = ${guest} and access = ${access}::uuid) as still`,
  )
  return row?.still ?? false
}

/** Gives the guest a name, with their access. */
export async function nameGuest(db: Db, { guest, access }: { guest: string; access: string }, name: string): Promise<void> {
  await rows(db, sql`update guests set name = ${name} where id = ${guest} and access = ${access}::uuid`)
  await nameAuthor(db, guest)
}

/**
 * Puts the guest's name on what they have written and added, if it has another one. A transaction of its own, which locks their collection first, as a comment
 * of theirs does (lock_collection_of_guest).
 */
export async function nameAuthor(db: Db, guest: string): Promise<void> {
  const differs = sql`g.id = ${guest} and u.id = 'guest:' || g.id and g.name is not null and u.first_name is distinct from g.name`
  await firstRows(
    db,
    sql`select from collections
      where id = (select l.collection_id from guests g join links l on l.id = g.link_id join users u on ${differs}) for no key update`,
    sql`update users u set first_name = g.name from guests g where ${differs}`,
  )
}

/** The guest with this id, if it is one of the link. */
export async function findGuest(db: Db, linkId: string, id: string | null): Promise<Guest | null> {
  return id === null ? null : firstRow<Guest>(db, sql`select id, name from guests where id = ${id} and link_id = ${linkId}`)
}

/** A guest who enters. `known` is the guest whom this browser was before, by its cookie. */
interface Entrant {
  link: LinkOfSecret
  known: string | null
  id: string
  access: string
  name: string | null
}

/** Whether guests of link `l` may answer now, in a collection with these `answers`. As mayAnswer (contract/policy.ts). */
const ANSWERS = sql`l.allows <> 'look' and answers is not distinct from 'read'`
/** What they may do now. */
const ALLOWS = sql`case when l.allows = 'add' then 'add' when ${ANSWERS} then 'answer' else 'look' end`

/** `answers`: guests may comment and react now. */
export interface Entered {
  guest: Guest & { access: string }
  link: OpenedLink
  answers: boolean
}

/** Lets a guest in, and writes nothing of one who is in under this name. Null if the link has ended meanwhile, or has another password. */
export async function enterLink(db: Db, { link, known, id, access, name }: Entrant): Promise<Entered | null> {
  const [, row] = await firstRows<[unknown, Entered]>(
    db,
    sql`select from links where id = ${link.id} for no key update`,
    sql`with opened as materialized (
      select l.*, c.name as collection_name, c.answers from links l join collections c on c.id = l.collection_id
      where l.id = ${link.id} and link_open(l) and l.password is not distinct from ${link.password}
    ),
    back as materialized (
      select g.id, coalesce(${name}, g.name) as name, coalesce(g.access, ${access}::uuid) as access from guests g, opened
      where g.id = ${known}::uuid and g.link_id = opened.id
    ),
    changed as (
      update guests g set name = coalesce(${name}, g.name), access = back.access from back
      where g.id = back.id and (g.access is null or g.name is distinct from back.name)
    ),
    fresh as (
      insert into guests (id, link_id, access, name) select ${id}::uuid, opened.id, ${access}::uuid, ${name} from opened
      where not exists (select from back) returning id, name, access
    )
    select json_build_object('id', g.id, 'name', g.name, 'access', g.access) as guest,
      json_build_object('id', l.id, 'collection_id', l.collection_id, 'kind', l.kind, 'name', l.name, 'collectionName', l.collection_name,
        'endsAt', l.ends_at, 'allows', ${ALLOWS}, 'location', l.location, 'download', l.download, 'askName', l.ask_name, 'join', l.join_role is not null) as link,
      ${ANSWERS} as answers
    from opened l, (select * from back union all select * from fresh) g`,
  )
  return row
}

// What follows runs in the transactions of guests, and reads the views of migrations/0044_links.sql.

/** Whether the link of the guest permits downloads. */
export async function permitsDownloads(db: Db): Promise<boolean> {
  return (await firstRow<{ download: boolean }>(db, sql`select download from link`))?.download ?? false
}

/** As `findRoomPerson` for a guest, who is not in other rooms. `seconds` until the link's time is over. */
export async function findRoomGuest(db: Db, collectionId: string): Promise<(RoomPerson & { link: string; seconds: number | null }) | null> {
  const row = await firstRow<{ name: string | null; link: string; revision: string; seconds: string | null }>(
    db,
    sql`select g.name, l.id as link, c.revision, extract(epoch from l.ends_at - now()) as seconds
      from link l cross join guests g join collections c on c.id = l.collection_id where c.id = ${collectionId}`,
  )
  return (
    row && {
      name: row.name === null ? 'A guest' : `${row.name} (guest)`,
      unnamed: row.name === null,
      hidden: false,
      role: 'guest',
      revision: Number(row.revision),
      link: row.link,
      seconds: row.seconds === null ? null : Number(row.seconds),
    }
  )
}

/** What the pages of a link have in common. `title` is the link's own name, or the collection's; `guest` the guest's name. */
export interface SharedHead {
  link: string
  collectionId: string
  title: string
  guest: string | null
  allows: LinkAllows
  /** Guests may comment and react now. */
  answers: boolean
  /** What they add waits for an admin. */
  approve: boolean
  download: boolean
  /** People may ask to become members. */
  join: boolean
  /** Anyone may see its title and newest picture. */
  preview: boolean
}

export async function findSharedHead(db: Db): Promise<SharedHead> {
  const head = await firstRow<SharedHead>(
    db,
    sql`select l.id as link, c.id as "collectionId", coalesce(l.name, c.name) as title, g.name as guest, ${ALLOWS} as allows, ${ANSWERS} as answers, l.approve, l.download, l.join_role is not null as join,
        l.preview and l.password is null and not l.ask_name as preview
      from link l cross join guests g join collections c on c.id = l.collection_id`,
  )
  if (!head) throw notFound(t`The link was not found`)
  return head
}

/** Ids of the items beside one, where the newest is first; null at the ends. Of a group, one stands for all its parts. */
export interface Neighbours {
  previous: string | null
  next: string | null
}

export async function findNeighbours(
  db: Db,
  kind: ItemKind,
  { id, collectionId }: { id: string; collectionId: string },
): Promise<Neighbours> {
  const { links, key } = ITEMS[kind]
  const listed = sql`select l.${key} as id from ${links} l, here where l.collection_id = ${collectionId} and l.live
    ${kind === 'asset' ? sql`and l.asset_id = ${SHOWN_AS}` : sql``}`
  const row = await firstRow<Neighbours>(
    db,
    sql`with here as materialized (select l.sort_at, l.${key} as id from ${links} l where l.collection_id = ${collectionId} and l.${key} = ${id} and l.live)
    select (${listed} and (l.sort_at, l.${key}) > (here.sort_at, here.id) order by l.sort_at, l.${key} limit 1) as previous,
      (${listed} and (l.sort_at, l.${key}) < (here.sort_at, here.id) order by l.sort_at desc, l.${key} desc limit 1) as next`,
  )
  return row ?? { previous: null, next: null }
}
