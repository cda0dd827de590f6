import { inject } from 'vitest'
import type { Collection } from '../../contract/collections.ts'
import { newId } from '../../contract/ids.ts'
import type { Role } from '../../contract/policy.ts'
import { Client } from '../../dev/http-client.ts'
import { localSql } from '../../dev/neon.ts'
import { grow } from './many.ts'

export const PASSWORD = 'correct horse battery'

export interface Actor extends Client {
  id: string
  email: string
}

/** Roles in the world's collection, by name; `null` is an account without access to it. */
type Cast = Record<string, Exclude<Role, 'owner'> | null>

export interface World {
  origin: string
  /** Owned by ada. */
  collection: Collection
  as(name: string): Actor
  /** A client without a session. */
  anonymous: Client
  /** Change log rows of this collection since the world was made. */
  changes(): Promise<ChangeRow[]>
  sql: ReturnType<typeof localSql>
}

interface ChangeRow {
  revision: number
  table_name: string
  event: string
  ids: string[]
  user_ids: string[]
}

/**
 * Named users around one collection. ada is always its owner; the others get the role in the cast. Every world has its own accounts, so
 * that tests share one database without seeing each other.
 */
export async function world(cast: Cast = {}): Promise<World> {
  const { origin, databaseUrl } = inject('stack')
  const sql = localSql(databaseUrl)
  const names = ['ada', ...Object.keys(cast)]
  const actors = new Map(await Promise.all(names.map(async (name) => [name, await register(name)] as const)))
  const as = (name: string) => {
    const actor = actors.get(name)
    if (!actor) throw new Error(`Nobody is called ${name} in this world`)
    return actor
  }
  const made = await as('ada').post('/api/collections', { name: 'Kyoto' })
  if (made.status !== 201) throw new Error(`The collection could not be made: ${made.status} ${JSON.stringify(made.body)}`)
  const collection: Collection = made.body.collection
  for (const [name, role] of Object.entries(cast)) {
    if (role) await sql`insert into members (collection_id, user_id, role) values (${collection.id}, ${as(name).id}, ${role})`
  }
  const [start] = await sql`select revision from collections where id = ${collection.id}`
  const changes = async () =>
    (await sql`select revision::int, table_name, event, ids, user_ids from changes
      where collection_id = ${collection.id} and revision > ${start?.revision} order by revision`) as ChangeRow[]
  return { origin, collection, as, anonymous: new Client(origin), changes, sql }
}

/** A world whose collection has this many items, half of them posts and half of them photos. */
export async function worldWith(items: number, cast: Cast = {}): Promise<World> {
  const made = await world(cast)
  const { id, user_id } = made.collection
  await grow(made.sql, { collectionId: id, userId: user_id, from: 0, to: items })
  return made
}

/**
 * Creates an account with a confirmed address and signs it in. All tests share one sign-in service, where each password takes a while, so
 * it may answer that a retry is needed.
 */
export async function register(name: string, attempts = 3): Promise<Actor> {
  const { origin, databaseUrl } = inject('stack')
  const email = `${name}-${newId().slice(-12)}@example.org`
  const client = new Client(origin)
  const firstName = name.charAt(0).toUpperCase() + name.slice(1)
  const { status, body } = await client.post('/api/auth/sign-up', { email, password: PASSWORD, firstName, lastName: 'Test' })
  if (status === 503 && attempts > 1) return register(name, attempts - 1)
  if (status !== 201) throw new Error(`${name} could not register: ${status} ${JSON.stringify(body)}`)
  await localSql(databaseUrl)`with confirmed as (update auth."user" set "emailVerified" = true where email = ${email} returning email)
    update users set verified_email = confirmed.email from confirmed where users.email = confirmed.email`
  return Object.assign(client, { id: body.user.id as string, email })
}
