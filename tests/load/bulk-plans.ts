import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Client } from '../../dev/http-client.ts'
import type { Stack } from '../../dev/stack.ts'
import { answered, type Figure, percentile } from './figures.ts'

const RUNS = 10
const WARM = 2

/** Statements of an edit, by a part of their text. */
const STATEMENTS: [name: string, text: string][] = [
  ['image after', 'update edits s set after'],
  ['undo', 'undone as ('],
  ['edit', 'recorded as ('],
  ['locks', 'select lock_collections('],
]

interface Step {
  'Subplan Name'?: string
  'Actual Total Time': number
  Plans?: Step[]
}
interface Explained {
  /** Milliseconds, with triggers. */
  took: number
  'Query Text': string
  Plan: Step & { 'Shared Hit Blocks': number }
  Triggers?: { 'Trigger Name': string; Time: number }[]
}

/** Medians in ms of each statement, CTE and trigger of bulk edits over HTTP, from the log of auto_explain, whose own cost they include. */
export async function measureBulkPlans(stack: Stack, ada: Client, ids: readonly string[]): Promise<Figure[]> {
  const call = (method: string, name: string, body: object) => answered(ada.call(method, `/api/asset/bulk${name}`, { ids, ...body }))
  let changeId = ''
  const works: [name: string, work: (run: number) => Promise<unknown>][] = [
    ['set the place', (run) => call('POST', '.location', { location: { lat: 48.2, lon: 16 + (run % 2) } })],
    ['shift the date', (run) => call('POST', '.date', { shift: { days: run % 2 ? -1 : 1 } })],
    ['move to the trash', async () => ({ changeId } = await call('DELETE', '', {}))],
    ['undo that', () => answered(ada.post(`/api/undo/${changeId}`))],
  ]
  await logPlans(stack)
  const took = new Map<string, number[]>()
  for (let run = 0; run < RUNS + WARM; run++) {
    for (const [name, work] of works) {
      const before = (await log(stack)).length
      await work(run)
      const parts = plansIn((await log(stack)).slice(before)).flatMap(partsOf)
      if (run >= WARM) for (const [part, amount] of parts) took.set(`${name}: ${part}`, [...(took.get(`${name}: ${part}`) ?? []), amount])
    }
  }
  return [...took].map(([what, amounts]) => ({ what: `${what}, p50`, value: percentile(amounts, 0.5).toFixed(1) }))
}

/** For new connections: the present ones are closed. */
async function logPlans(stack: Stack): Promise<void> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_triggers': 'on',
    'auto_explain.log_format': 'json',
  }
  const database = new URL(stack.postgresUrl).pathname.slice(1)
  for (const [name, value] of Object.entries(settings)) await stack.sql.query(`alter database ${database} set ${name} = '${value}'`)
  await stack.neon.forget(database)
}

const log = ({ dir }: Stack) => readFile(path.join(dir, 'postgres.log'), 'utf8')

/** Lines of an entry after the first begin with a tab. */
function plansIn(text: string): Explained[] {
  return [...text.matchAll(/duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)+)/g)].map(([, took, plan = '']) => ({
    took: Number(took),
    ...JSON.parse(plan),
  }))
}

function partsOf({ Plan, Triggers = [], ...plan }: Explained): [part: string, amount: number][] {
  const [of] = STATEMENTS.find(([, text]) => plan['Query Text'].includes(text)) ?? []
  if (!of) return []
  const named = (step: Step): [string, number][] => [
    ...(step['Subplan Name']?.startsWith('CTE ') ? [[step['Subplan Name'], step['Actual Total Time']] as [string, number]] : []),
    ...(step.Plans ?? []).flatMap(named),
  ]
  const triggers = Triggers.map((trigger): [string, number] => [`trigger ${trigger['Trigger Name']}`, trigger.Time])
  return [
    [of, plan.took],
    [`${of}, pages read from memory`, Plan['Shared Hit Blocks']],
    ...[...named(Plan), ...triggers].filter(([, ms]) => ms >= 1).map(([part, ms]): [string, number] => [`${of}, ${part}`, ms]),
  ]
}
