export interface Oklch {
  l: number
  c: number
  h: number
}

/** Reads `oklch(97.1% 0.013 17.38)` and `oklch(0.97 0 none)`. */
export function parseOklch(text: string): Oklch {
  const [l = '0', c = '0', h = '0'] = text.replace(/^oklch\(|\)$/g, '').split(/[\s/]+/)
  return { l: l.endsWith('%') ? Number.parseFloat(l) / 100 : Number(l), c: Number(c), h: h === 'none' ? 0 : Number(h) }
}

const clamp = (n: number) => Math.min(1, Math.max(0, n))

/** Linear sRGB as a browser shows it, with values outside of the gamut clipped. */
function linearRgb({ l, c, h }: Oklch): [number, number, number] {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    clamp(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    clamp(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    clamp(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ]
}

function luminance(color: Oklch): number {
  const [r, g, b] = linearRgb(color)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** WCAG 2 contrast ratio, 1 to 21. */
export function contrast(one: Oklch, other: Oklch): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}
