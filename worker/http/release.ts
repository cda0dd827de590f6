import type { Env } from '../env.ts'

/** Set by dev/build-worker.ts. `wrangler deploy` and `wrangler dev` bundle by themselves and do not know it. */
declare const CAIRN_RELEASE: string | undefined

/** Which release runs: version and commit where we made the bundle, else the name or id that the platform gave the deployment. */
export function releaseOf({ CF_VERSION_METADATA: deployment }: Pick<Env, 'CF_VERSION_METADATA'>): string {
  if (typeof CAIRN_RELEASE !== 'undefined') return CAIRN_RELEASE
  return deployment?.tag || deployment?.id || 'unknown'
}
