import type { Asset } from '../../contract/assets.ts'
import { type AssetVersion, fileVersionOf, imagePath } from '../../contract/images.ts'
import { LIMITS, RENDITIONS } from '../../contract/limits.ts'
import type { MEDIA_KINDS } from '../../contract/media-kinds.ts'
import { asGuest } from './guest/link.ts'
import { renditionPath } from './photos/rendition-path.ts'

export type MediaKind = (typeof MEDIA_KINDS)[number]
export type ImageFields = Pick<Asset, 'id' | 'type' | 'width' | 'height' | 'renditions' | 'version' | 'file_version'> &
  Partial<Pick<Asset, 'duration'>>

/** Image types that every browser can show. */
const SHOWABLE = /^image\/(jpeg|png|gif|webp|avif)$/

/** There are few types, and the kind of every item is requested often. */
const kinds = new Map<string, MediaKind>()

export function kindOf(type: string): MediaKind {
  let kind = kinds.get(type)
  if (!kind) {
    kind = findKind(type)
    kinds.set(type, kind)
  }
  return kind
}

function findKind(type: string): MediaKind {
  if (type.startsWith('image/') && type !== 'image/svg+xml') return 'photo'
  if (type.startsWith('video/')) return 'video'
  return type.startsWith('audio/') ? 'audio' : 'file'
}

/** URLs to try for the image of an asset, best first; empty when it has none. */
export function imageSources(asset: ImageFields, size: 'thumb' | 'preview'): string[] {
  const rendition = (name: 'thumb' | 'preview') => (asset.renditions.includes(name) ? [renditionUrl(asset, name)] : [])
  // An original without a size could not be decoded: a damaged file, or one made to exhaust memory.
  const pixels = (asset.width ?? 0) * (asset.height ?? 0)
  const original = SHOWABLE.test(asset.type) && pixels > 0 && pixels <= LIMITS.imagePixels ? [fileUrl(asset)] : []
  if (size === 'preview' && moves(asset)) return [...original, ...rendition('preview')]
  // Assets uploaded by scripts have no renditions: the server resizes the original, so that no tile loads all of a photo.
  if (original.length > 0 && asset.renditions.length === 0 && !fits(asset, RENDITIONS[size]))
    return [asGuest(imagePath(asset, { width: RENDITIONS[size] })), ...original]
  const names = size === 'thumb' ? (['thumb', 'preview'] as const) : (['preview', 'thumb'] as const)
  return [...rendition(names[0]), ...original, ...rendition(names[1])]
}

/** Whether it is an image that moves, which its renditions do not. JPEG and HEIC do not: with a length they are motion photos, which are shown still. */
export function moves({ type, duration = null }: Pick<ImageFields, 'type' | 'duration'>): boolean {
  return type === 'image/gif' || (/^image\/(?!jpeg|hei)/.test(type) && duration !== null)
}

function fits({ width, height }: ImageFields, longest: number): boolean {
  return Math.max(width ?? 0, height ?? 0) <= longest
}

export function renditionUrl(asset: AssetVersion, name: 'thumb' | 'preview'): string {
  return asGuest(renditionPath(asset, name))
}

export function avatarUrl(userId: string, version: string): string {
  return `/api/users/${encodeURIComponent(userId)}/avatar?v=${version}`
}

export function fileUrl(asset: AssetVersion): string {
  return asGuest(`/api/asset/${asset.id}/file?v=${fileVersionOf(asset)}`)
}

/** Where a video is played from: from a version that more browsers play than the original, if it has one. */
export function playableUrls(asset: AssetVersion & Pick<Asset, 'renditions'>): string[] {
  const original = fileUrl(asset)
  return asset.renditions.includes('film')
    ? [asGuest(`/api/asset/${asset.id}/renditions/film?v=${fileVersionOf(asset)}`), original]
    : [original]
}

export function downloadUrl(asset: AssetVersion): string {
  return `${fileUrl(asset)}&download=1`
}

/** Width over height; 1 when unknown. */
export function aspectOf(asset: Pick<Asset, 'width' | 'height'>): number {
  return asset.width && asset.height ? asset.width / asset.height : 1
}

/** `PDF`, `ZIP`: the usual name of the type. */
export function typeLabel(asset: Pick<Asset, 'name' | 'type'>): string {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(asset.name)?.[1]
  return (extension ?? asset.type.split('/')[1]?.split(/[.+-]/).pop() ?? 'file').toUpperCase()
}
