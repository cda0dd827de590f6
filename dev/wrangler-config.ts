import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parse } from 'smol-toml'
import { z } from 'zod'
import { PROJECT } from './state-folder.ts'

/** The part of wrangler.toml that local runs need; wrangler checks the rest. */
const WranglerConfig = z.object({
  name: z.string(),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()).default([]),
  assets: z.object({
    directory: z.string(),
    binding: z.string(),
    not_found_handling: z.enum(['single-page-application', '404-page', 'none']),
    run_worker_first: z.array(z.string()),
  }),
  r2_buckets: z.array(z.object({ binding: z.string(), bucket_name: z.string() })).default([]),
  durable_objects: z.object({ bindings: z.array(z.object({ name: z.string(), class_name: z.string() })) }),
  images: z.object({ binding: z.string() }),
  triggers: z.object({ crons: z.array(z.string()) }),
  vars: z.record(z.string(), z.string()).default({}),
})
export type WranglerConfig = z.infer<typeof WranglerConfig>

export async function readWranglerConfig(): Promise<WranglerConfig> {
  return WranglerConfig.parse(parse(await readFile(path.join(PROJECT, 'wrangler.toml'), 'utf8')))
}

/** Bindings of the buckets, as Miniflare takes them. */
export const bucketsOf = ({ r2_buckets }: WranglerConfig) =>
  Object.fromEntries(r2_buckets.map(({ binding, bucket_name }) => [binding, { type: 'r2' as const, name: bucket_name }]))
