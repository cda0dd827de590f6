import { t } from '#say'

/**
 * Images in other sizes: `GET /_image/{modifiers}/{assetId}?v={version}`, modifiers separated by commas, such as
 * `w_640,f_webp,q_80,fit_cover,blur_3` or `s_10x10`. Only the sizes and squares of this file are supported, which limits the number of stored
 * images per asset. Sizes, densities and presets are part of the API.
 */
export const SCREENS = { xs: 320, sm: 640, md: 768, lg: 1024, xl: 1280, xxl: 1536, '2xl': 1536 } as const
export const DENSITIES: readonly number[] = [1, 2]
/** Pixels of avatars by size. */
export const AVATARS = { '3xs': 16, '2xs': 20, xs: 24, sm: 28, md: 32, lg: 36, xl: 40, '2xl': 44, '3xl': 48 } as const
const THUMBNAILS = [128, 256, 384, 512]
const TIMELINE = 75
const PLACEHOLDER = 10

/** Supported widths and heights, in pixels. */
export const SIZES: readonly number[] = [
  ...new Set([
    PLACEHOLDER,
    ...[TIMELINE, ...THUMBNAILS, ...Object.values(SCREENS), ...Object.values(AVATARS)].flatMap((size) => [size, size * 2]),
  ]),
].toSorted((a, b) => a - b)

/** Supported sizes with both sides: squares for avatars, thumbnails and the placeholder, each at both densities. */
export const SQUARES: readonly number[] = [
  ...new Set([PLACEHOLDER, ...THUMBNAILS, ...Object.values(AVATARS)].flatMap((size) => [size, size * 2])),
].toSorted((a, b) => a - b)

export const FORMATS = ['avif', 'webp', 'jpeg'] as const
export type Format = (typeof FORMATS)[number]
/** `cover` fills both sides and crops, `contain` fits inside and may enlarge, `inside` never enlarges. */
export const FITS = ['cover', 'contain', 'inside'] as const
export type Fit = (typeof FITS)[number]
export const QUALITIES: readonly number[] = [50, 75, 80]
export const BLURS: readonly number[] = [3]

/** Needs width, height or both. Default format: by the Accept header. Default fit: `cover` with both sides, else `inside`. */
export interface Modifiers {
  width?: number
  height?: number
  fit?: Fit
  format?: Format | 'auto'
  quality?: number
  blur?: number
}

export const PRESETS = {
  timeline: { format: 'webp', width: TIMELINE, quality: 80 },
  placeholder: { width: PLACEHOLDER, height: PLACEHOLDER, quality: 50, blur: 3 },
} as const satisfies Record<string, Modifiers>

export function avatarPreset(size: keyof typeof AVATARS): Modifiers {
  return { width: AVATARS[size], height: AVATARS[size], fit: 'cover' }
}

/** Modifiers as in the URL, in canonical order. */
export function buildModifiers({ width, height, fit, format, quality, blur }: Modifiers): string {
  const size = width && height ? `s_${width}x${height}` : width ? `w_${width}` : `h_${height}`
  return [size, format && `f_${format}`, quality && `q_${quality}`, fit && `fit_${fit}`, blur && `blur_${blur}`].filter(Boolean).join(',')
}

/** Parses the modifiers of a URL. `problem` is a message for the caller. */
export function parseModifiers(text: string): { modifiers: Modifiers } | { problem: string } {
  const modifiers: Modifiers = {}
  for (const part of text.split(',')) {
    const at = part.indexOf('_')
    const read = Object.hasOwn(READERS, part.slice(0, at)) ? READERS[part.slice(0, at)] : undefined
    if (!read) return { problem: t`${{ part: JSON.stringify(part.slice(0, 20)) }} is not known. Use w, h, s, f, q, fit or blur` }
    const found = read(part.slice(at + 1))
    if (typeof found === 'string') return { problem: found }
    if (Object.keys(found).some((name) => name in modifiers)) return { problem: t`${{ name: part.slice(0, at) }} is given twice` }
    Object.assign(modifiers, found)
  }
  if (!modifiers.width && !modifiers.height) return { problem: t`Give a width or height: sizes are ${{ sizes: SIZES.join(', ') }}` }
  return isSupportedSize(modifiers)
    ? { modifiers }
    : { problem: t`squares are ${{ squares: SQUARES.join(', ') }}; otherwise name the width or the height alone` }
}

export function isSupportedSize({ width, height }: Modifiers): boolean {
  if (width && height) return width === height && SQUARES.includes(width)
  return SIZES.includes(width ?? height ?? 0)
}

/** Parsers by modifier. They return a message for an invalid value. */
const READERS: Record<string, (value: string) => Modifiers | string> = {
  w: (value) => oneOf(SIZES, value, (width) => ({ width })) ?? sizeProblem(),
  h: (value) => oneOf(SIZES, value, (height) => ({ height })) ?? sizeProblem(),
  s: (value) => {
    const [w = '', h = '', ...rest] = value.split('x')
    const both = oneOf(SIZES, w, (width) => oneOf(SIZES, h, (height) => ({ width, height })))
    return rest.length === 0 && both ? both : sizeProblem()
  },
  f: (value) => oneOf([...FORMATS, 'auto'] as const, value, (format) => ({ format })) ?? t`f is auto, ${{ formats: FORMATS.join(', ') }}`,
  q: (value) => oneOf(QUALITIES, value, (quality) => ({ quality })) ?? choiceProblem('q', QUALITIES),
  fit: (value) => oneOf(FITS, value, (fit) => ({ fit })) ?? choiceProblem('fit', FITS),
  blur: (value) => oneOf(BLURS, value, (blur) => ({ blur })) ?? choiceProblem('blur', BLURS),
}

const sizeProblem = () => t`sizes are ${{ sizes: SIZES.join(', ') }}`
const choiceProblem = (name: string, list: readonly (string | number)[]) => t`${name} is one of ${{ choices: list.join(', ') }}`

function oneOf<T extends string | number>(
  list: readonly T[],
  value: string,
  use: (found: T) => Modifiers | undefined,
): Modifiers | undefined {
  const found = list.find((item) => String(item) === value)
  return found === undefined ? undefined : use(found)
}

export interface AssetVersion {
  id: string
  version: number
  file_version?: number | undefined
}

/** With it in a URL, the image of the URL never changes. */
export function fileVersionOf({ file_version, version }: AssetVersion): number {
  return file_version ?? version
}

export function imagePath(asset: AssetVersion, modifiers: Modifiers): string {
  return `/_image/${buildModifiers(modifiers)}/${asset.id}?v=${fileVersionOf(asset)}`
}
