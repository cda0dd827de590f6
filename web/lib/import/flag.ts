import { readLocal, writeLocal } from '../storage.ts'

const keyOf = (userId: string) => `import-waits ${userId}`

/** Whether imported posts of this account wait for their assets on this device. Readable without opening the database. */
export function hasPendingImport(userId: string | undefined): boolean {
  return userId !== undefined && readLocal(keyOf(userId)) !== null
}

export function setPendingImport(userId: string, waits: boolean): void {
  writeLocal(keyOf(userId), waits ? '1' : null)
}
