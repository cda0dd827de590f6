import { type ImageSite, imageUrl, type ProviderName } from '../../contract/image-providers.ts'
import type { Modifiers } from '../../contract/images.ts'
import { isGuestUser } from '../../contract/links.ts'
import { type Bearer, signPath } from '../auth/signed-url.ts'
import type { Env } from '../env.ts'
import { isDecodable } from '../media/image.ts'
import type { SeenImage } from '../queries/images.ts'

/** Seconds for which a browser caches the redirect; less than the lifetime of the signature in it. */
const MAX_AGE = 30 * 60

type ImageEnv = Pick<Env, 'APP_ORIGIN' | 'LIVE_KEY' | 'IMAGE_PROVIDER' | 'IMAGE_DELIVERY'>

function imageSite({ APP_ORIGIN: origin, IMAGE_PROVIDER, IMAGE_DELIVERY: delivery }: Omit<ImageEnv, 'LIVE_KEY'>): ImageSite {
  // `checkSettings` checks it.
  return { origin, provider: (IMAGE_PROVIDER || 'local') as ProviderName, ...(delivery && { delivery }) }
}

/** A redirect to the image at another provider. Null if the app makes images itself, or if there is no source. */
export async function providedImage(
  env: ImageEnv,
  bearer: Bearer,
  wanted: { asset: SeenImage; modifiers: Modifiers },
): Promise<Response | null> {
  const site = imageSite(env)
  const { asset, modifiers } = wanted
  const source = site.provider !== 'local' && sourcePath(asset, isGuestUser(bearer.userId))
  if (!source) return null
  const signature = await signPath(env, bearer, source)
  const address = imageUrl(`${source}?v=${asset.version}&pass=${signature}`, { modifiers }, site)
  return new Response(null, { status: 302, headers: { location: address, 'cache-control': `private, max-age=${MAX_AGE}` } })
}

/**
 * The original if an image service can decode it, else the preview. Also for a guest, who could open the address by themselves: the original has what the
 * picture has not. Where its place is hidden, it is cleaned or refused.
 */
function sourcePath({ id, type, size, renditions, place }: SeenImage, forGuest: boolean): string | null {
  if (!forGuest && place === 'exact' && isDecodable({ type, size })) return `/api/asset/${id}/file`
  return renditions.preview ? `/api/asset/${id}/renditions/preview` : null
}
