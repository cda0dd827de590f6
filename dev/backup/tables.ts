import type pg from 'pg'

/** The app's own, and the accounts of the local sign-in service or of Neon Auth. */
const SCHEMAS = ['public', 'auth', 'neon_auth']
/** Sessions and one-time links are keys to somebody's account, and signing keys are made anew: no backup should hold them. */
const LEFT_OUT = /^(auth|neon_auth)\.(jwks|session|verification)$/

export interface Table {
  schema: string
  name: string
  /** As SQL: quoted. */
  id: string
  columns: { name: string; type: string }[]
}

export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query(
    `select n.nspname as schema, c.relname as name, format('%I.%I', n.nspname, c.relname) as id,
       json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r' and n.nspname = any($1)
       and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
     group by n.nspname, c.relname
     order by n.nspname, c.relname`,
    [SCHEMAS],
  )
  return rows.filter(({ schema, name }) => !LEFT_OUT.test(`${schema}.${name}`))
}

export async function listSequences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    `select format('%I.%I', schemaname, sequencename) as id from pg_sequences where schemaname = any($1) order by 1`,
    [SCHEMAS],
  )
  return rows.map(({ id }) => id)
}

export interface ForeignKey {
  table: string
  name: string
  definition: string
}

export async function listForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query(
    `select format('%I.%I', n.nspname, c.relname) as table, quote_ident(k.conname) as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     where k.contype = 'f' and n.nspname = any($1) order by 1, 2`,
    [SCHEMAS],
  )
  return rows
}

/** Text of every value reads back as the same value in any session that is set so. */
export const EXACT_TEXT =
  "set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local timezone = 'UTC'; set local extra_float_digits = 1; set local bytea_output = 'hex'"
