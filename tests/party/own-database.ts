import pg from 'pg'
import { inject } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { migrateDatabase } from '../../dev/migrate.ts'
import { type LocalSql, localSql } from '../../dev/neon.ts'

export interface OwnDatabase {
  url: string
  sql: LocalSql
  /** Simulates a failover: ends every connection, and accepts none until `recover`. */
  fail(): Promise<void>
  recover(): Promise<void>
  drop(): Promise<void>
}

/** A separate database, for tests that replace the publisher and must not take other tests' changes. */
export async function ownDatabase(): Promise<OwnDatabase> {
  const { databaseUrl, postgresUrl } = inject('stack')
  const name = `outbox_${newId().slice(-12)}`
  await admin(postgresUrl, `create database ${name}`)
  const address = new URL(databaseUrl)
  address.pathname = `/${name}`
  await migrateDatabase(address.href)
  const order = (statement: string) => admin(postgresUrl, statement)
  return {
    url: address.href,
    sql: localSql(address.href),
    async fail() {
      await order(`alter database ${name} allow_connections false`)
      await order(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    },
    recover: () => order(`alter database ${name} allow_connections true`),
    drop: () => order(`drop database ${name} with (force)`),
  }
}

async function admin(postgresUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** A collection of ada in which bob writes. */
export async function collectionOf(sql: LocalSql): Promise<string> {
  const id = newId()
  await sql`insert into users (id, email) values ('ada', 'ada@example.org'), ('bob', 'bob@example.org') on conflict do nothing`
  await sql`insert into collections (id, name, user_id) values (${id}, 'Kyoto', 'ada')`
  await sql`insert into members (collection_id, user_id, role) values (${id}, 'ada', 'owner'), (${id}, 'bob', 'write')`
  return id
}

export async function addPosts(sql: LocalSql, collectionId: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const id = newId()
    await sql`with p as (insert into posts (id, user_id, type, title) values (${id}, 'ada', 'note', 'Snow') returning id)
      insert into post_collections (collection_id, post_id, user_id) select ${collectionId}, id, 'ada' from p`
  }
}
