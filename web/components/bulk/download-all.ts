import type { Asset } from '../../../contract/assets.ts'
import { downloadUrl } from '../../lib/media.ts'

export const MOST_DOWNLOADS = 50

/** Saves each original; browsers ask once whether this page may save several. */
export async function downloadAll(assets: readonly Asset[]): Promise<void> {
  for (const asset of assets) {
    const link = document.createElement('a')
    link.href = downloadUrl(asset)
    link.download = asset.name
    link.click()
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}
