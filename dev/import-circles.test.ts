import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const FILES = globSync('{contract,dev,party,web,worker}/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$/.test(file))
/** Imports of values and types, dynamic imports and the URLs of workers. Lint sees all but the URLs. */
const IMPORT = /(?:\bfrom\s|\bimport\s*\(?|\bnew URL\()\s*['"](\.[^'"?]+)/g

test('No file imports itself through other files, worker URLs included', () => {
  const imports = new Map(FILES.map((file) => [file, importsOf(file, readFileSync(file, 'utf8'))]))
  expect(imports.size).toBeGreaterThan(500)
  expect(filesInCircles(imports)).toEqual([])
})

test('A circle through types, dynamic imports and worker URLs is found', () => {
  const sources = {
    'a.ts': `import type { B } from './b.ts'`,
    'b.ts': `const load = () => import('./folder/c.ts')`,
    'folder/c.ts': `new Worker(new URL('../a.ts', import.meta.url))`,
    'outside.ts': `export { a } from './a.ts'`,
  }
  const imports = new Map(Object.entries(sources).map(([file, source]) => [file, importsOf(file, source)]))
  expect(filesInCircles(imports)).toEqual(['a.ts', 'b.ts', 'folder/c.ts'])
})

function importsOf(file: string, source: string): string[] {
  return [...source.matchAll(IMPORT)].map(([, to = '']) => path.posix.join(path.posix.dirname(file), to))
}

/** Drops files that import nothing, or that nothing imports, until only circles and the files between them are left. */
function filesInCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  let left = [...imports.keys()]
  for (let before = -1; before !== left.length; ) {
    before = left.length
    const known = new Set(left)
    left = left.filter((file) => imports.get(file)?.some((to) => known.has(to)))
    const imported = new Set(left.flatMap((file) => imports.get(file) ?? []))
    left = left.filter((file) => imported.has(file))
  }
  return left
}
