import type { Room } from '../party/partyserver.ts'
import type { Settings } from './settings.ts'

/** Bindings and variables of wrangler.toml. */
export interface Env extends Settings {
  ASSETS: Fetcher
  FILES: R2Bucket
  Room: DurableObjectNamespace<Room>
  IMAGES?: ImagesBinding
}
