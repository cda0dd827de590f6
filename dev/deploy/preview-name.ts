import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parse } from 'smol-toml'
import { PROJECT } from '../state-folder.ts'

/** A branch's name as a part of a host name. The hash distinguishes names that differ only in punctuation or beyond the length limit. */
export function previewName(branch: string): string {
  const words = branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 24)
    .replace(/-$/, '')
  return `${words || 'branch'}-${createHash('sha256').update(branch).digest('hex').slice(0, 6)}`
}

/** Whether `previewName` could have made this name. */
export const isPreviewName = (name: string) => /^[a-z0-9-]{1,24}-[0-9a-f]{6}$/.test(name)

export const previewBucket = (worker: string, name: string) => `${worker}-preview-${name}`

export type Config = Record<string, unknown> & { name: string }

export async function wranglerConfig(): Promise<Config> {
  const config = parse(await readFile(path.join(PROJECT, 'wrangler.toml'), 'utf8'))
  return { ...config, name: String(config.name) }
}
