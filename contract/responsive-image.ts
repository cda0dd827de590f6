import { DENSITIES, SCREENS } from './images.ts'

/** An available image. */
export interface Candidate {
  src: string
  /** In pixels. */
  width: number
}

export interface ResponsiveImage {
  srcset: string
  sizes: string
}

/** A `srcset` by density, without densities for which `srcOf` returns undefined. Throws for an empty list. */
export function imageDensities(srcOf: (density: number) => string | undefined, densities: readonly number[] = DENSITIES): string {
  requireDensities(densities)
  return densities
    .map((density) => ({ density, src: srcOf(density) }))
    .filter(({ src }) => src !== undefined)
    .map(({ src, density }) => `${src} ${density}x`)
    .join(', ')
}

/**
 * `srcset` and `sizes` of an `img`. The input `sizes` is such as `100vw sm:50vw lg:400px`, each up to the next screen. Selects, for each
 * size and density, the smallest candidate that is large enough, else the largest. Throws for an unknown screen or unit, and without
 * densities.
 */
export function responsiveImage(
  candidates: readonly Candidate[],
  { sizes, densities = DENSITIES }: { sizes: string; densities?: readonly number[] },
): ResponsiveImage {
  requireDensities(densities)
  const steps = stepsOf(sizes)
  const sorted = candidates.toSorted((a, b) => a.width - b.width)
  const enough = (width: number) => sorted.find((candidate) => candidate.width >= width) ?? sorted.at(-1)
  const wanted = new Set(steps.flatMap(({ width }) => densities.map((density) => enough(width * density))))
  return {
    srcset: sorted
      .filter((candidate) => wanted.has(candidate))
      .map(({ src, width }) => `${src} ${width}w`)
      .join(', '),
    sizes: steps.map(({ below, size }) => (below ? `(max-width: ${below - 1}px) ${size}` : size)).join(', '),
  }
}

function requireDensities(densities: readonly number[]): void {
  if (densities.length === 0) throw new Error('densities must not be empty')
}

interface Step {
  /** Screen width at which the next step begins; undefined for the last. */
  below: number | undefined
  size: string
  /** Maximum width of the image on these screens, in pixels. */
  width: number
}

function stepsOf(sizes: string): Step[] {
  const parts = sizes
    .trim()
    .split(/\s+/)
    .map((part) => {
      const { screen = '', amount = '', unit = '' } = /^(?:(?<screen>\w+):)?(?<amount>\d+)(?<unit>vw|px)$/.exec(part)?.groups ?? {}
      if (!amount || (screen && !Object.hasOwn(SCREENS, screen))) throw new Error(`Unknown size: ${part}`)
      return { from: screen ? SCREENS[screen as keyof typeof SCREENS] : 0, amount: Number(amount), unit }
    })
  parts.sort((a, b) => a.from - b.from)
  return parts.map(({ amount, unit }, nth) => {
    const below = parts[nth + 1]?.from
    const screen = below ?? SCREENS['2xl']
    return { below, size: `${amount}${unit}`, width: unit === 'px' ? amount : Math.round((screen * amount) / 100) }
  })
}
