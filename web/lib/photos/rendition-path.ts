import { type AssetVersion, fileVersionOf } from '../../../contract/images.ts'

/** Without the link of a guest (lib/media.ts), whose module the script in the head does not need. */
export function renditionPath(asset: AssetVersion, name: 'thumb' | 'preview'): string {
  return `/api/asset/${asset.id}/renditions/${name}?v=${fileVersionOf(asset)}`
}
