import type { Env } from '../env.ts'

/** Set by dev/build-worker.ts. Undefined in bundles made by `wrangler deploy` and `wrangler dev`. */
declare const CAIRN_RELEASE: string | undefined

/** Version and commit of a bundle from dev/build-worker.ts, else the platform's tag or id of the deployment. */
export function releaseOf({ CF_VERSION_METADATA: deployment }: Pick<Env, 'CF_VERSION_METADATA'>): string {
  if (typeof CAIRN_RELEASE !== 'undefined') return CAIRN_RELEASE
  return deployment?.tag || deployment?.id || 'unknown'
}
