import { globSync, readFileSync } from 'node:fs'
import { checkSync } from 'recheck'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

interface Node {
  [field: string]: unknown
}

/** The regular expressions that are written in a source file. */
function patternsIn(file: string): { pattern: string; flags: string }[] {
  const found: { pattern: string; flags: string }[] = []
  const walk = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return
    const { regex, ...fields } = value as Node
    if (regex) found.push(regex as { pattern: string; flags: string })
    for (const field of Object.values(fields)) walk(field)
  }
  walk(parseSync(file, readFileSync(file, 'utf8')).program)
  return found
}

// A body or header of a hundred thousand characters must not keep the server, or other people's browsers, busy for seconds.
test('every pattern that reads text of others takes time in proportion to its length', { timeout: 300_000 }, () => {
  const files = globSync(['contract/**/*.ts', 'party/**/*.ts', 'worker/**/*.ts', 'web/lib/filters/**/*.ts']).filter(
    (file) => !file.includes('.test.'),
  )
  const patterns = files.flatMap((file) => patternsIn(file).map((regex) => ({ file, ...regex })))
  expect(patterns.length).toBeGreaterThan(100)
  const slow = patterns.flatMap(({ file, pattern, flags }) => {
    const { status } = checkSync(pattern, flags, { timeout: 20_000 })
    return status === 'safe' ? [] : [`${file}: /${pattern}/${flags} ${status}`]
  })
  expect(slow).toEqual([])
})
