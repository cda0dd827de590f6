import { globSync, readFileSync } from 'node:fs'
import { extendTailwindMerge } from 'tailwind-merge'
import { expect, test } from 'vitest'
import { cx } from './cx.ts'

/** Knows every class that there is. */
const full = extendTailwindMerge({
  extend: { theme: { text: ['3xl'], radius: ['2xl'], shadow: ['raised', 'dialog'], animate: [] } },
})

test('later classes win over earlier ones of the same kind, under the same conditions only', () => {
  expect(cx('px-2 py-1', 'p-4')).toBe('p-4')
  expect(cx('p-4', 'px-2')).toBe('p-4 px-2')
  expect(cx('hover:bg-muted bg-page', 'bg-accent')).toBe('hover:bg-muted bg-accent')
  expect(cx('text-sm text-muted', 'text-accent')).toBe('text-sm text-accent')
  expect(cx('border border-b-0 border-strong', 'border-0')).toBe('border-strong border-0')
  expect(cx('absolute!', 'relative')).toBe('absolute! relative')
  expect(cx('group/pick', false, null, ['flex', undefined], 'hidden')).toBe('group/pick hidden')
  expect(cx('')).toBe('')
})

test('every class of the app gives way as it does in tailwind-merge', { timeout: 60_000 }, () => {
  const used = classesUsed()
  expect(used.length).toBeGreaterThan(500)
  // One of each kind, which is told by what gives way to itself.
  const kinds: string[] = []
  for (const name of used) if (!kinds.some((kind) => cx(kind, name) === name && cx(name, kind) === kind)) kinds.push(name)
  const wrong: string[] = []
  for (const kind of kinds) for (const name of used) if (kind !== name && cx(kind, name) !== full(kind, name)) wrong.push(`${kind} ${name}`)
  expect(wrong).toEqual([])
})

/** All words in quotes that tailwind-merge knows as classes, without their conditions. */
function classesUsed(): string[] {
  const found = new Set<string>()
  for (const file of globSync('web/**/*.{ts,tsx}')) {
    if (file.includes('.test.') || file === 'web/ui/cx.ts') continue
    for (const [, , text = ''] of readFileSync(file, 'utf8').matchAll(/(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1/g))
      for (const word of text.split(/\s+/))
        if (/^[a-z*[-][^${}'"`;,]*$/.test(word)) found.add(word.replace(/^.*:(?![^[]*\])/, '').replace(/!$/, ''))
  }
  return [...found].filter((name) => full(`${name} ${name}`) === name && !MAP_STYLE.test(name))
}

/** What a map's style calls the parts of its text is no class. */
const MAP_STYLE = /^(text-(color|field|font|halo-.*|letter-spacing|max-width|padding|size)|fill-color|from-image)$/
