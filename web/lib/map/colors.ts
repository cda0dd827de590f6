const TOKENS = {
  water: '--map-water',
  land: '--map-land',
  border: '--map-border',
  city: '--map-city',
  country: '--map-country',
  accent: '--accent',
  ring: '--bg-raised',
} as const

/** Our design tokens as colours the map library understands, and whether the screen is dark. */
export type MapColors = Record<keyof typeof TOKENS, string> & { dark: boolean }

/** Current values of the tokens. The library does not support oklch(), so a canvas converts them. */
export function readColors(): MapColors {
  const probe = document.createElement('span')
  document.body.append(probe)
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true })
  const colors = Object.fromEntries(
    Object.entries(TOKENS).map(([name, token]) => {
      probe.style.color = `var(${token})`
      return [name, canvas ? rgbOf(canvas, getComputedStyle(probe).color) : 'gray']
    }),
  ) as Record<keyof typeof TOKENS, string>
  probe.style.color = 'light-dark(rgb(0 0 0), rgb(1 1 1))'
  const dark = getComputedStyle(probe).color === 'rgb(1, 1, 1)'
  probe.remove()
  return { ...colors, dark }
}

function rgbOf(canvas: CanvasRenderingContext2D, color: string): string {
  canvas.clearRect(0, 0, 1, 1)
  canvas.fillStyle = color
  canvas.fillRect(0, 0, 1, 1)
  const [r, g, b, a = 255] = canvas.getImageData(0, 0, 1, 1).data
  return `rgba(${r},${g},${b},${a / 255})`
}

/** Calls the listener when the theme, the appearance or the system's colour scheme changes. Returns a function that stops it. */
export function onColorsChange(listener: () => void): () => void {
  const watching = new MutationObserver(listener)
  watching.observe(document.documentElement, { attributeFilter: ['data-appearance', 'data-primary', 'data-neutral'] })
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', listener)
  return () => {
    watching.disconnect()
    scheme.removeEventListener('change', listener)
  }
}
