import { z } from '../../../contract/zod.ts'
import { parseJson, readLocal, writeLocal } from '../storage.ts'

const KEY = 'different-photos'
/** Characters that are remembered, of about 5 million that a browser stores for a site; the sets called different first are forgotten for the next. */
const MAX_CHARACTERS = 500_000
const Sets = z.array(z.array(z.string()))

/** Ids of photos that somebody has called different on this device, set by set. No names: the next user on this device must not see them. */
export const differentSets = (): string[][] => parseJson(readLocal(KEY), Sets) ?? []

export function writeDifferentSets(sets: readonly (readonly string[])[]): void {
  const kept: (readonly string[])[] = []
  let length = 2
  for (const set of sets.toReversed()) {
    length += JSON.stringify(set).length + 1
    if (length > MAX_CHARACTERS) break
    kept.push(set)
  }
  writeLocal(KEY, kept.length > 0 ? JSON.stringify(kept.reverse()) : null)
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
