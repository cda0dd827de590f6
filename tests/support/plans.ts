import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { LocalSql } from '../../dev/neon.ts'
import type { Db } from '../../worker/db/client.ts'

/** What Postgres did for one statement of a query: `text` is the plan as JSON. */
export interface Plan {
  statement: string
  text: string
  /** Milliseconds of execution, without the way there and back. */
  took: number
}

/** Runs a query of worker/queries through EXPLAIN ANALYZE: reads really run, and their rows reach nobody. */
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
  // Queries need no more of a database than this.
  const db = { execute, batch: (all: Promise<unknown>[]) => Promise.all(all) } as unknown as Db
  // Without its row a query may say that there is nothing: the plan is there all the same.
  await query(db).catch((error: unknown) => {
    if (plans.length === 0) throw error
  })
  return plans
}

/** Tables that a plan reads from end to end. */
export function scannedTables({ text }: Plan): string[] {
  return [...text.matchAll(/"Node Type":"Seq Scan"[^{}]*?"Relation Name":"(\w+)"/g)].map(([, table = '']) => table)
}

interface Step {
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  Plans?: Step[]
}

/** Rows of these tables that a plan looked at, from a table or from an index. */
export function rowsOf({ text }: Plan, tables: readonly string[]): number {
  const count = (step: Step): number => {
    const rows = tables.includes(step['Relation Name'] ?? '') ? (step['Actual Rows'] ?? 0) + (step['Rows Removed by Filter'] ?? 0) : 0
    return rows * (step['Actual Loops'] ?? 0) + (step.Plans ?? []).reduce((sum, inner) => sum + count(inner), 0)
  }
  return count(JSON.parse(text).Plan)
}
