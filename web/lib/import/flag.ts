import { readLocal, writeLocal } from '../storage.ts'

const keyOf = (userId: string) => `import-waits ${userId}`

/** Whether posts of an import of this account wait for their pictures here: known without opening what they wait in. */
export function importWaits(userId: string | undefined): boolean {
  return userId !== undefined && readLocal(keyOf(userId)) !== null
}

export function markImport(userId: string, waits: boolean): void {
  writeLocal(keyOf(userId), waits ? '1' : null)
}
