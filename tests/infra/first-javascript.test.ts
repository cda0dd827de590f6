import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { buildWeb } from '../../dev/build-web.ts'
import { brotliSize, firstScripts } from '../support/first-scripts.ts'

/** Bytes after brotli, docs/benchmarks.md. */
const BUDGET = 150_000

test('the JavaScript that comes before anything is seen stays within its budget', async () => {
  const { folder } = await buildWeb()
  const scripts = firstScripts(await readFile(path.join(folder, 'index.html'), 'utf8'))
  const sizes = await Promise.all([...scripts].map(async (script) => brotliSize(await readFile(path.join(folder, script)))))
  expect(sizes.length).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET)
})
