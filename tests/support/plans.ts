import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import pg from 'pg'
import type { LocalSql } from '../../dev/neon.ts'
import type { Db } from '../../worker/db/client.ts'

/** The executed plan of one statement of a query: `text` is JSON. */
export interface Plan {
  statement: string
  text: string
  /** Milliseconds of execution, without the round trip. */
  took: number
}

/** Runs a query of worker/queries through EXPLAIN ANALYZE: reads are executed, but return no rows. */
export async function plansOf(sql: LocalSql, query: (db: Db) => Promise<unknown>): Promise<Plan[]> {
  const plans: Plan[] = []
  const execute = async (statement: SQL) => {
    const { sql: text, params } = new PgDialect().sqlToQuery(statement)
    const [row] = await sql.query(`explain (analyze, timing off, format json) ${text}`, params)
    const [plan] = row?.['QUERY PLAN'] ?? []
    plans.push({
      statement: text,
      text: JSON.stringify(plan),
      took: plan['Execution Time'],
    })
    return { rows: [] }
  }
  // Queries use only this part of a database.
  const db = { execute, batch: (all: Promise<unknown>[]) => Promise.all(all) } as unknown as Db
  // Without its row a query may throw not found; the plan has been recorded by then.
  await query(db).catch((error: unknown) => {
    if (plans.length === 0) throw error
  })
  return plans
}

/** A connection that tells the plan of each statement that it runs, and of those in triggers and functions. */
export async function explainedConnection(connectionString: string): Promise<{ db: pg.Client; plansTaken: () => Plan[] }> {
  const db = new pg.Client({ connectionString })
  let plans: Plan[] = []
  db.on('notice', ({ message = '' }) => {
    const at = message.indexOf('{')
    if (!message.startsWith('duration:') || at < 0) return
    const text = message.slice(at)
    plans.push({ statement: JSON.parse(text)['Query Text'], text, took: Number.parseFloat(message.slice('duration:'.length)) })
  })
  await db.connect()
  await db.query(`load 'auto_explain'`)
  await db.query(`set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on; set auto_explain.log_timing = off;
    set auto_explain.log_nested_statements = on; set auto_explain.log_format = json; set client_min_messages = log`)
  const plansTaken = () => {
    const taken = plans
    plans = []
    return taken
  }
  return { db, plansTaken }
}

/** Tables that a plan scans completely. */
export function scannedTables({ text }: Plan): string[] {
  return [...text.matchAll(/"Node Type":"Seq Scan"[^{}]*?"Relation Name":"(\w+)"/g)].map(([, table = '']) => table)
}

/** A step of an executed plan. */
export interface Step {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  'Sort Space Type'?: string
  Plans?: Step[]
}

/** Rows that a step read in all. 0 for one pass over a table that other tests have filled, or a hash of it, which are not quadratic. */
export function rowsRead(step: Step): number {
  const loops = step['Actual Loops'] ?? 0
  if (/Scan$|^Hash$/.test(step['Node Type']) && loops === 1) return 0
  return ((step['Actual Rows'] ?? 0) + (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Join Filter'] ?? 0)) * loops
}

/** Number of rows of these tables that a plan read, from a table or an index. */
export function rowsOf({ text }: Plan, tables: readonly string[]): number {
  const count = (step: Step): number => {
    const rows = tables.includes(step['Relation Name'] ?? '') ? (step['Actual Rows'] ?? 0) + (step['Rows Removed by Filter'] ?? 0) : 0
    return rows * (step['Actual Loops'] ?? 0) + (step.Plans ?? []).reduce((sum, inner) => sum + count(inner), 0)
  }
  return count(JSON.parse(text).Plan)
}
