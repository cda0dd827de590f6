import { type AssetVersion, fileVersionOf } from '../../../contract/images.ts'

/** The path for members; `renditionUrl` in lib/media.ts adds a guest's link. A file of its own keeps that code out of the head script. */
export function renditionPath(asset: AssetVersion, name: 'thumb' | 'preview'): string {
  return `/api/asset/${asset.id}/renditions/${name}?v=${fileVersionOf(asset)}`
}
