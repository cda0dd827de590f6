import type pg from 'pg'

/** The app's own schema, and the accounts of the local sign-in service or of Neon Auth. */
const SCHEMAS = ['public', 'auth', 'neon_auth']
/**
 * Sessions (with the notifications that refer to them) and one-time links give access to accounts, and signing keys are generated anew: no backup should
 * contain them. Neon's configuration names a database's own sign-in service, and exists before any account.
 */
const LEFT_OUT =
  /^((auth|neon_auth)\.(jwks|session|verification|project_config)|public\.(sessions|refreshes|push_subscriptions|mailed_links))$/

export const isLeftOut = ({ schema, name }: Pick<Table, 'schema' | 'name'>) => LEFT_OUT.test(`${schema}.${name}`)

/** The migrations give it a row, so not even an empty database has it empty. A restore replaces the row: the bucket belongs to the restored database. */
export const SITE = 'public.site'

export interface Table {
  schema: string
  name: string
  /** Quoted for SQL. */
  id: string
  /** Whether the tables may be altered: those of Neon Auth belong to Neon. */
  own: boolean
  columns: { name: string; type: string }[]
}

export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query(
    `select n.nspname as schema, c.relname as name, format('%I.%I', n.nspname, c.relname) as id, pg_has_role(c.relowner, 'usage') as own,
       json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r' and n.nspname = any($1)
       and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
     group by c.oid, n.nspname
     order by n.nspname, c.relname`,
    [SCHEMAS],
  )
  return rows.filter((table) => !isLeftOut(table))
}

export async function listSequences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    `select format('%I.%I', schemaname, sequencename) as id from pg_sequences where schemaname = any($1) order by 1`,
    [SCHEMAS],
  )
  return rows.map(({ id }) => id)
}

/** Timestamp of the database's last migration, or null if there is none. */
export async function lastMigration(client: pg.Client): Promise<number | null> {
  const { rows: there } = await client.query(`select to_regclass('drizzle.__drizzle_migrations') is not null as there`)
  if (!there[0].there) return null
  const { rows } = await client.query('select max(created_at)::text as last from drizzle.__drizzle_migrations')
  return rows[0].last === null ? null : Number(rows[0].last)
}

export interface ForeignKey {
  table: string
  name: string
  definition: string
  /** The referenced table. */
  target: string
  /** Whether the key may be dropped. */
  own: boolean
}

export async function listForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query(
    `select format('%I.%I', n.nspname, c.relname) as table, quote_ident(k.conname) as name, pg_get_constraintdef(k.oid) as definition,
       format('%I.%I', tn.nspname, t.relname) as target, pg_has_role(c.relowner, 'usage') as own
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
       join pg_class t on t.oid = k.confrelid join pg_namespace tn on tn.oid = t.relnamespace
     where k.contype = 'f' and n.nspname = any($1) order by 1, 2`,
    [SCHEMAS],
  )
  return rows
}

/** Sorts tables so that referenced ones come first. */
export function targetsFirst<T extends { id: string }>(tables: T[], keys: Pick<ForeignKey, 'table' | 'target'>[]): T[] {
  const ordered = new Set<T>()
  const under = new Set<string>()
  const add = (table: T) => {
    // Tables in a reference cycle have no order.
    if (under.has(table.id)) return
    under.add(table.id)
    for (const { target } of keys.filter((key) => key.table === table.id)) tables.filter(({ id }) => id === target).forEach(add)
    ordered.add(table)
  }
  tables.forEach(add)
  return [...ordered]
}

/** With these settings the text of every value reads back as the same value in any session. */
export const EXACT_TEXT =
  "set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local timezone = 'UTC'; set local extra_float_digits = 1; set local bytea_output = 'hex'"
