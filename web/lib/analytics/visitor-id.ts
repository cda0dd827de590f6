import { newId } from '../../../contract/ids.ts'
import { readLocal, writeLocal } from '../storage.ts'

const KEY = 'visitor-id'

/** A random id under which this browser is counted until its user signs out, or objects to being counted. */
export function visitorId(): string {
  const id = readLocal(KEY) ?? newId()
  writeLocal(KEY, id)
  return id
}

export function renewVisitorId(id: string): void {
  writeLocal(KEY, id)
}

export function forgetVisitorId(): void {
  writeLocal(KEY, null)
}
