import { unlessSignedOut } from './api.ts'

/** Runs in one tab at a time, the others after it, until it is done or its person signs out. Without Web Locks every tab runs at once. */
export async function alone(name: string, run: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return unlessSignedOut(run())
  await navigator.locks.request(name, () => unlessSignedOut(run()))
}
