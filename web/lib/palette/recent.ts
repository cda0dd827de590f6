import { z } from '../../../contract/zod.ts'
import { parseJson, readLocal, writeLocal } from '../storage.ts'

const KEY = 'palette-recent'
const MAX_RECENT = 20
const Ids = z.array(z.string().max(100)).max(MAX_RECENT)

/** Ids of what was chosen in the palette on this device, the last first. No names: whoever signs in next here sees none of it. */
export function recentIds(): string[] {
  return parseJson(readLocal(KEY), Ids) ?? []
}

export function rememberRecent(id: string): void {
  writeLocal(KEY, JSON.stringify([id, ...recentIds().filter((other) => other !== id)].slice(0, MAX_RECENT)))
}
