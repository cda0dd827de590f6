import type { BrowserContext } from 'playwright-core'
import { percentile } from './figures.ts'
import type { Cost } from './tasks.ts'

/** Milliseconds. Timeout of every step. */
export const LONG = 180_000

/** Milliseconds for work that follows an answer or a first paint. */
export const SETTLE = 3_000

export async function post(context: BrowserContext, path: string, data: unknown) {
  const origin = new URL((await context.request.get('/')).url()).origin
  const answer = await context.request.post(path, { data, headers: { origin } })
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
  return answer.json()
}

/** On standard error: the whole bench takes about half an hour, and its table comes last. */
export const progress = (what: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${what}`)

export const ms = (value: number) => `${Math.round(value)} ms`
export const cost = ({ wall, cpu }: Pick<Cost, 'wall' | 'cpu'>) => `${ms(wall)}, of the processor ${ms(cpu)}`

/** Median and slowest. */
export function spread(values: readonly number[]): string {
  return `${Math.round(percentile(values, 0.5))} / ${Math.round(Math.max(...values))} ms`
}

export function costs(all: readonly Cost[]): string {
  const of = (key: 'wall' | 'cpu' | 'own') => spread(all.map((each) => each[key]))
  return `${of('wall')}, of the processor ${of('cpu')}, its own work ${of('own')}`
}
