import { type AddressInfo, connect, createServer } from 'node:net'
import pg from 'pg'
import type { Stack } from '../stack.ts'
import './names-here.mjs'

/** Postgres as Neon offers it: one host for the driver's HTTP and for plain Postgres, and a role that is not a superuser. */
export interface NeonPeer {
  /** Connection string of the owner of a database made by `create`. */
  url(database: string): string
  create(database: string): Promise<void>
  /** Does what *Auth → Enable* does to a database: creates tables with another owner, and one row of configuration. */
  enableAuth(database: string): Promise<void>
  /** How many connections were made to `url`. */
  connections(): number
  /** Runs as a superuser, for what the owner may not do. */
  query(database: string, text: string): Promise<pg.QueryResult>
  stop(): Promise<void>
}

/** For NODE_OPTIONS of commands that use such an address. */
export const NAMES_HERE = `--import=${new URL('names-here.mjs', import.meta.url)}`

const OWNER = 'neondb_owner'
const PASSWORD = 'npg_owner'

const ROLES = `
create role neon_auth;
create role ${OWNER} login createdb createrole password '${PASSWORD}' in role pg_read_all_data, pg_write_all_data`

/** The Neon Auth tables that a backup treats differently, with Neon's names. */
const AUTH = `
create schema neon_auth authorization neon_auth;
set role neon_auth;
create table neon_auth."user" (id uuid primary key, name text not null, email text not null unique);
create table neon_auth.account (id uuid primary key, "userId" uuid not null references neon_auth."user" on delete cascade, password text);
create table neon_auth.session (id uuid primary key, "userId" uuid not null references neon_auth."user" on delete cascade, token text);
create table neon_auth.project_config (id uuid primary key default gen_random_uuid(), endpoint_id text not null);
insert into neon_auth.project_config (endpoint_id) values ('ep-of-' || current_database())`

export async function startNeonPeer(stack: Stack): Promise<NeonPeer> {
  const front = await startFront(stack)
  const superuser = (database: string) => Object.assign(new URL(stack.postgresUrl), { pathname: database }).href
  const query: NeonPeer['query'] = async (database, text) => {
    const client = new pg.Client({ connectionString: superuser(database) })
    await client.connect()
    try {
      return await client.query(text)
    } finally {
      await client.end()
    }
  }
  await query('postgres', ROLES)
  const owned = { hostname: 'ep-here.neon.test', username: OWNER, password: PASSWORD, port: String(front.port) }
  return {
    url: (database) => Object.assign(new URL(superuser(database)), owned).href,
    async create(database) {
      await query('postgres', `create database ${database} owner ${OWNER}`)
    },
    async enableAuth(database) {
      await query(database, AUTH)
    },
    connections: front.connections,
    query,
    stop: front.stop,
  }
}

/** The driver's HTTP and plain Postgres differ in their first byte. */
async function startFront({ postgresUrl, databaseUrl }: Stack) {
  const ports = { http: Number(new URL(databaseUrl).port), postgres: Number(new URL(postgresUrl).port) }
  let connections = 0
  const server = createServer((client) => {
    connections++
    client.on('error', () => client.destroy())
    client.once('data', (first) => {
      const behind = connect({ host: '127.0.0.1', port: first[0] === 0 ? ports.postgres : ports.http })
      behind.on('error', () => client.destroy()).on('close', () => client.destroy())
      client.on('close', () => behind.destroy())
      behind.write(first)
      client.pipe(behind).pipe(client)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A listening server's address is a string only for pipes.
  const { port } = server.address() as AddressInfo
  return { port, connections: () => connections, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}
