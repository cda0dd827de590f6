import { imagePath, isSupportedSize, type Modifiers, PRESETS } from './images.ts'

/** Image providers: this app, Cloudflare in front of it, or a service that fetches originals. */
const PROVIDERS = ['local', 'cdn', 'delivery'] as const
export type ProviderName = (typeof PROVIDERS)[number]

export interface ImageSite {
  provider?: ProviderName
  /** Of this site, for a service that fetches from it. */
  origin: string
  /** Base URL of the delivery service, followed by `/<options>/<url>`. */
  delivery?: string
  /** Hosts beside the site's own whose images may be resized. Other URLs are returned unchanged. */
  domains?: readonly string[]
}

export interface ImageRequest {
  provider?: string
  preset?: string
  modifiers?: Modifiers
}

/** URL of an image in the requested size. Throws if the input is not a string, and for an unknown provider or preset. */
export function imageUrl(input: unknown, request: ImageRequest, site: ImageSite): string {
  if (typeof input !== 'string') throw new Error(`input must be a string (received ${typeof input})`)
  const name = request.provider ?? site.provider ?? 'local'
  const provide = Object.hasOwn(ADDRESSES, name) ? ADDRESSES[name as ProviderName] : undefined
  if (!provide) throw new Error(`Unknown provider: ${name}`)
  const modifiers = { ...presetOf(request.preset), ...request.modifiers }
  return isAllowed(input, site) ? provide(input, modifiers, site) : input
}

function presetOf(name: string | undefined): Modifiers {
  if (name === undefined) return {}
  if (!Object.hasOwn(PRESETS, name)) throw new Error(`Unknown preset: ${name}`)
  return PRESETS[name as keyof typeof PRESETS]
}

/** Permits paths of the site, and http(s) URLs on its own and the allowed hosts. */
export function isAllowed(input: string, { origin, domains = [] }: Pick<ImageSite, 'origin' | 'domains'>): boolean {
  if (/^\/(?!\/)/.test(input)) return true
  if (!/^https?:\/\//.test(input) || !URL.canParse(input)) return false
  return [new URL(origin).host, ...domains].includes(new URL(input).host)
}

type Address = (input: string, modifiers: Modifiers, site: ImageSite) => string

const ADDRESSES: Record<ProviderName, Address> = {
  /** Resizes only assets; other URLs are returned unchanged. */
  local: (input, modifiers) => {
    const { id, version } = /^\/api\/asset\/(?<id>[\w-]+)\/file\?v=(?<version>\d+)$/.exec(input)?.groups ?? {}
    return id && isSupportedSize(modifiers) ? imagePath({ id, version: Number(version) }, modifiers) : input
  },
  cdn: (input, modifiers) => `/cdn-cgi/image/${spell(modifiers, CDN)}/${input.replace(/^\//, '')}`,
  delivery: (input, modifiers, { origin, delivery }) => {
    if (!delivery) throw new Error('IMAGE_DELIVERY is not set')
    return `${delivery}/${spell(modifiers, DELIVERY)}/${encodeURIComponent(new URL(input, origin).href)}`
  },
}

type Spelling = { [K in keyof Modifiers]-?: (value: NonNullable<Modifiers[K]>) => string }

/** Cloudflare's options. `spell` adds `metadata=none`, because its default keeps part of the metadata. */
const CDN: Spelling = {
  width: (n) => `width=${n}`,
  height: (n) => `height=${n}`,
  fit: (fit) => `fit=${{ cover: 'cover', contain: 'contain', inside: 'scale-down' }[fit]}`,
  format: (format) => `format=${format}`,
  quality: (n) => `quality=${n}`,
  blur: (n) => `blur=${n}`,
}

/** Options in the syntax of delivery services such as Cloudinary. */
const DELIVERY: Spelling = {
  width: (n) => `w_${n}`,
  height: (n) => `h_${n}`,
  fit: (fit) => `c_${{ cover: 'fill', contain: 'fit', inside: 'limit' }[fit]}`,
  format: (format) => `f_${format === 'jpeg' ? 'jpg' : format}`,
  quality: (n) => `q_${n}`,
  // Scale of the service: up to 2000; ours is a radius in pixels.
  blur: (n) => `e_blur:${n * 100}`,
}

function spell(modifiers: Modifiers, spelling: Spelling): string {
  const { width, height, fit = width && height ? 'cover' : 'inside', format = 'auto', quality, blur } = modifiers
  return [
    width && spelling.width(width),
    height && spelling.height(height),
    spelling.fit(fit),
    spelling.format(format),
    quality && spelling.quality(quality),
    blur && spelling.blur(blur),
    spelling === CDN && 'metadata=none',
  ]
    .filter(Boolean)
    .join(',')
}
