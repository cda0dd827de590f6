import { inject } from 'vitest'

/** Access to object storage and the minute's task: see control.ts. */
async function control(method: string, path: string): Promise<Response> {
  const response = await fetch(new URL(path, inject('stack').control), { method })
  if (response.status >= 500) throw new Error(await response.text())
  return response
}

export async function keysUnder(prefix: string): Promise<string[]> {
  return (await control('GET', `/objects?prefix=${encodeURIComponent(prefix)}`)).json() as Promise<string[]>
}

/** Keys of all objects of an asset. */
export function objectsOf(assetId: string): Promise<string[]> {
  return keysUnder(`assets/${assetId}/`)
}

/** Bytes of an object, or null. */
export async function objectBytes(key: string): Promise<Uint8Array | null> {
  const response = await control('GET', `/object?key=${encodeURIComponent(key)}`)
  return response.status === 404 ? null : new Uint8Array(await response.arrayBuffer())
}

export async function deleteObject(key: string): Promise<void> {
  await control('DELETE', `/object?key=${encodeURIComponent(key)}`)
}

export async function runMinutesTask(): Promise<void> {
  await control('POST', '/scheduled')
}
