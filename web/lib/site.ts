import { t } from '#say'
import { BuildMeta, LATEST_PATH, LatestBuild, metaPath, PagePayload, payloadPath } from '../../contract/site.ts'
import type { z } from '../../contract/zod.ts'
import { ApiError } from './api.ts'

export function ownBuild(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="cairn-build"]')?.content ?? ''
}

let meta: Promise<BuildMeta> | null = null

/** Metadata of this build, including its paths. Fetched once. */
export function readBuildMeta(): Promise<BuildMeta> {
  meta ??= read(metaPath(ownBuild()), BuildMeta).catch((error: unknown) => {
    meta = null
    throw error
  })
  return meta
}

export function readPage(path: string, preview: boolean): Promise<PagePayload> {
  return read(payloadPath(path, ownBuild(), preview), PagePayload)
}

export async function readLatestBuild(): Promise<string> {
  return (await read(LATEST_PATH, LatestBuild, { cache: 'no-store' })).id
}

/** Throws ApiError: `offline` without a response, `gone` when a newer build has replaced this one. */
async function read<T>(path: string, schema: z.ZodType<T>, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, init).catch(() => {
    throw new ApiError('offline', t`No connection. Check the network and try again.`)
  })
  const details = { status: response.status, requestId: response.headers.get('x-request-id') ?? undefined }
  if (response.status === 404) throw new ApiError('gone', t`There is a newer version of Cairn. Reload the page.`, details)
  if (!response.ok) throw new ApiError('unavailable', t`This page could not be fetched just now. Try again in a moment.`, details)
  const parsed = schema.safeParse(await response.json().catch(() => undefined))
  if (!parsed.success) throw new ApiError('unreadable', t`The answer could not be read. Reload the page to get the newest version.`)
  return parsed.data
}

/** Whether this tab has not yet tried to load a build. Prevents a reload loop where a cache still answers with the old one. */
export function mayTakeBuild(id: string): boolean {
  try {
    if (sessionStorage.getItem('taken-build') === id) return false
    sessionStorage.setItem('taken-build', id)
    return true
  } catch {
    return false
  }
}
