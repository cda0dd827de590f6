import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { NEUTRAL_COLORS, PRIMARY_COLORS } from '../../contract/colors.ts'
import { contrast, parseOklch } from '../../dev/contrast.ts'

const css = ['palettes.css', 'tokens.css'].map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n')

/** Variables of the rules whose selector lists one of these. */
function variables(...selectors: string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, selector = '', body = ''] of css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (!selector.split(',').some((part) => selectors.includes(part.trim()))) continue
    for (const [, name = '', value = ''] of body.matchAll(/--([\w-]+):\s*([^;]+);/g)) found.set(name, value.replace(/\s+/g, ' '))
  }
  return found
}

type Mode = 'light' | 'dark'

/** Follows var() and light-dark() down to a colour. */
function resolve(all: Map<string, string>, mode: Mode, name: string): string {
  let value = all.get(name) ?? ''
  for (let depth = 0; depth < 9 && !value.startsWith('oklch('); depth++) {
    const pair = /^light-dark\((.*), ((?:var|oklch)\([^()]*\))\)$/.exec(value)
    const variable = /^var\(--([\w-]+)\)$/.exec(value)
    if (pair) value = (mode === 'light' ? pair[1] : pair[2]) ?? ''
    else if (variable) value = all.get(variable[1] ?? '') ?? ''
    else throw new Error(`--${name} is not a colour: ${value}`)
  }
  return value
}

const PRIMARIES = [...PRIMARY_COLORS, 'black']
const SURFACES = ['bg', 'bg-raised', 'bg-rail', 'bg-muted']

const TEXT_PAIRS = [
  ['on-accent', 'accent'],
  ...['bg', 'bg-raised', 'bg-rail', 'bg-muted', 'accent-soft', 'accent-faint'].map((surface) => ['accent-text', surface]),
  ...[...SURFACES, 'accent-soft', 'accent-faint'].flatMap((surface) => [
    ['text', surface],
    ['text-muted', surface],
  ]),
  ...['bg', 'bg-raised', 'bg-rail'].map((surface) => ['text-dimmed', surface]),
  ...['bg', 'bg-raised', 'danger-soft'].map((surface) => ['danger', surface]),
  ['on-danger', 'danger-solid'],
  ['success', 'bg-raised'],
  ['warning', 'bg-raised'],
  ['warning', 'warning-soft'],
] as [string, string][]

const CONTROL_PAIRS = [
  ...['bg', 'bg-raised', 'bg-rail'].flatMap((surface) => [
    ['accent', surface],
    ['ring', surface],
    ['border-control', surface],
  ]),
  ['danger-solid', 'bg-raised'],
] as [string, string][]

describe.each(NEUTRAL_COLORS)('on %s', (neutral) => {
  test.each(PRIMARIES)('%s is legible, light and dark', (primary) => {
    const all = variables(':root', '[data-primary]', `[data-primary="${primary}"]`, `[data-neutral="${neutral}"]`)
    const ratio = (mode: Mode, one: string, other: string) =>
      contrast(parseOklch(resolve(all, mode, one)), parseOklch(resolve(all, mode, other)))
    const bad = (['light', 'dark'] as const).flatMap((mode) => [
      ...TEXT_PAIRS.filter(([one, other]) => ratio(mode, one, other) < 4.5).map((pair) => [mode, ...pair, ratio(mode, ...pair)]),
      ...CONTROL_PAIRS.filter(([one, other]) => ratio(mode, one, other) < 3).map((pair) => [mode, ...pair, ratio(mode, ...pair)]),
    ])
    expect(bad).toEqual([])
  })
})
