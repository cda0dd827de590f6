import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { NEUTRAL_COLORS, PRIMARY_COLORS } from '../contract/colors.ts'
import { contrast, type Oklch, parseOklch } from './contrast.ts'

// Writes web/styles/palettes.css: Tailwind's OKLCH palette by name, our own `tea`, and for each colour the steps that are legible.
// web/styles/contrast.test.ts checks the result against WCAG.

const STEPS = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950] as const
type Step = (typeof STEPS)[number]
type Palette = Record<Step, Oklch>

const theme = readFileSync(createRequire(import.meta.url).resolve('tailwindcss/theme.css'), 'utf8')
const WHITE: Oklch = { l: 1, c: 0, h: 0 }
const TEXT = 4.5
const CONTROL = 3.1

function tailwind(name: string): Palette {
  return Object.fromEntries(
    STEPS.map((step) => {
      const value = new RegExp(`--color-${name}-${step}: (oklch\\([^)]*\\));`).exec(theme)?.[1]
      if (!value) throw new Error(`Tailwind has no ${name}-${step}`)
      return [step, parseOklch(value)]
    }),
  ) as Palette
}

/** A warm grey between green and brown, like steeped tea. Lightness falls as in the other neutrals; chroma peaks in the middle. */
const tea: Palette = {
  50: { l: 0.985, c: 0.003, h: 108 },
  100: { l: 0.967, c: 0.005, h: 108 },
  200: { l: 0.921, c: 0.008, h: 107 },
  300: { l: 0.866, c: 0.011, h: 106 },
  400: { l: 0.708, c: 0.017, h: 104 },
  500: { l: 0.551, c: 0.019, h: 102 },
  600: { l: 0.442, c: 0.017, h: 100 },
  700: { l: 0.37, c: 0.015, h: 98 },
  800: { l: 0.269, c: 0.011, h: 96 },
  900: { l: 0.214, c: 0.009, h: 95 },
  950: { l: 0.147, c: 0.006, h: 95 },
}

const neutrals = NEUTRAL_COLORS.map((name) => [name, name === 'tea' ? tea : tailwind(name)] as const)
const every = (step: Step) => neutrals.map(([, palette]) => palette[step])

function firstLegible(palette: Palette, steps: Step[], against: Oklch[], ratio: number): Step {
  const found = steps.find((step) => against.every((other) => contrast(palette[step], other) >= ratio))
  if (!found) throw new Error('No step of this palette is legible')
  return found
}

const css = ({ l, c, h }: Oklch) => `oklch(${Number((l * 100).toFixed(1))}% ${Number(c.toFixed(3))} ${Number(h.toFixed(3))})`

function between(from: Oklch, to: Oklch, against: Oklch[]): Oklch {
  for (let t = 0; t <= 1; t += 0.02) {
    const color = { l: from.l + (to.l - from.l) * t, c: from.c, h: from.h }
    if (against.every((other) => contrast(color, other) >= CONTROL)) return color
  }
  return to
}

/** A tint for a dark background. The darkest steps of the palettes are too vivid beside the neutrals. */
function softened({ l, c, h }: Oklch): Oklch {
  return { l: Math.max(l, 0.27), c: c * 0.6, h }
}

function rule(selector: string, variables: [string, string][]): string {
  return `${selector} {\n${variables.map(([name, value]) => `  --${name}: ${value};`).join('\n')}\n}\n`
}

function primaryRule(name: string): string {
  const palette = tailwind(name)
  const light: Oklch[] = [WHITE, ...every(50), ...every(100), palette[50], palette[100]]
  const dark: Oklch[] = [...every(950), ...every(900), ...every(800), softened(palette[950])]
  return rule(`[data-primary="${name}"]`, [
    ...STEPS.map((step): [string, string] => [`primary-${step}`, css(palette[step])]),
    ['solid-light', `var(--primary-${firstLegible(palette, [600, 700, 800], [WHITE], TEXT)})`],
    ['solid-dark', `var(--primary-${firstLegible(palette, [500, 400, 300], every(950), TEXT)})`],
    ['ink-light', `var(--primary-${firstLegible(palette, [600, 700, 800], light, TEXT)})`],
    ['ink-dark', `var(--primary-${firstLegible(palette, [400, 300], dark, TEXT)})`],
    ['soft-dark', css(softened(palette[950]))],
  ])
}

const blackRule = rule('[data-primary="black"]', [
  ...STEPS.map((step): [string, string] => [`primary-${step}`, `var(--neutral-${step})`]),
  ['solid-light', 'oklch(0% 0 0)'],
  ['solid-dark', 'oklch(100% 0 0)'],
  ['ink-light', 'var(--neutral-900)'],
  ['ink-dark', 'var(--neutral-50)'],
  ['soft-dark', 'var(--neutral-800)'],
])

function neutralRule(name: string, palette: Palette): string {
  return rule(`[data-neutral="${name}"]`, [
    ...STEPS.map((step): [string, string] => [`neutral-${step}`, css(palette[step])]),
    ['control-light', css(between(palette[400], palette[500], [WHITE, palette[50], palette[100]]))],
    ['control-dark', css(between(palette[600], palette[500], [palette[950], palette[900]]))],
  ])
}

const rules = [...PRIMARY_COLORS.map(primaryRule), blackRule, ...neutrals.map(([name, palette]) => neutralRule(name, palette))]
writeFileSync(
  new URL('../web/styles/palettes.css', import.meta.url),
  `/* Written by dev/palettes.ts (npm run icons). Do not edit. */\n${rules.join('\n')}`,
)
