import { z } from '../../../contract/zod.ts'
import { parseJson, readLocal, writeLocal } from '../storage.ts'

const KEY = 'palette-recent'
const MAX_RECENT = 20
const Ids = z.array(z.string().max(100)).max(MAX_RECENT)

/** Ids of palette entries used on this device, the latest first. No names: the next user on this device must not see them. */
export function recentIds(): string[] {
  return parseJson(readLocal(KEY), Ids) ?? []
}

export function rememberRecent(id: string): void {
  writeLocal(KEY, JSON.stringify([id, ...recentIds().filter((other) => other !== id)].slice(0, MAX_RECENT)))
}
