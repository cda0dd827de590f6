import type { AssetVersion } from '../../contract/images.ts'
import { downloadUrl } from './media.ts'
import { sleep } from './scheduling.ts'

/** Milliseconds between two files: a browser forgets one that comes at once. */
const PAUSE = 250

/** Downloads each original; browsers ask once whether the page may save several files. */
export async function saveFiles(assets: readonly (AssetVersion & { name: string })[]): Promise<void> {
  for (const [nth, asset] of assets.entries()) {
    if (nth > 0) await sleep(PAUSE)
    const link = document.createElement('a')
    link.href = downloadUrl(asset)
    link.download = asset.name
    link.click()
  }
}
