import { z } from '../../../contract/zod.ts'
import { parseJson, readLocal, writeLocal } from '../storage.ts'

const KEY = 'different-photos'
/** Sets that are remembered; the first one is forgotten for the next. */
const MAX_SETS = 500
const Sets = z.array(z.array(z.string()))

/** Ids of photos that somebody has called different on this device, set by set. No names: the next user on this device must not see them. */
export const differentSets = (): string[][] => parseJson(readLocal(KEY), Sets) ?? []

export function writeDifferentSets(sets: readonly (readonly string[])[]): void {
  writeLocal(KEY, sets.length > 0 ? JSON.stringify(sets.slice(-MAX_SETS)) : null)
}

/** Says of two ids whether they are in one set. */
export function differenceIn(sets: readonly (readonly string[])[]): (a: string, b: string) => boolean {
  const setsOf = new Map<string, Set<number>>()
  for (const [n, ids] of sets.entries()) for (const id of ids) setsOf.set(id, (setsOf.get(id) ?? new Set()).add(n))
  return (a, b) => {
    const others = setsOf.get(b)
    return others !== undefined && [...(setsOf.get(a) ?? [])].some((n) => others.has(n))
  }
}
