import type { Answer } from '../../dev/http-client.ts'

/** One line of the benchmark table. */
export interface Figure {
  what: string
  value: string
}

/** Milliseconds of each run, one after the other. */
export async function timed(times: number, work: (run: number) => Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  for (let run = 0; run < times; run++) {
    const begin = performance.now()
    await work(run)
    took.push(performance.now() - begin)
  }
  return took
}

/** Percentile `p`, from 0 to 1, by nearest rank. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN
}

export function p50p95(values: number[]): string {
  return `${percentile(values, 0.5).toFixed(1)} / ${percentile(values, 0.95).toFixed(1)} ms`
}

/** The body of an answer, which must have this status. */
export async function answered(call: Promise<Answer>, status = 200): Promise<Answer['body']> {
  const answer = await call
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
