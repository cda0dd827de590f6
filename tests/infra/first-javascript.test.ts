import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { buildWeb } from '../../dev/build-web.ts'
import { brotliSize, firstScripts } from '../support/first-scripts.ts'

/** Bytes after brotli, docs/benchmarks.md. */
const BUDGET = 153_500

test('The JavaScript before the first paint stays within its budget', async () => {
  const { folder } = await buildWeb()
  const scripts = firstScripts(await readFile(path.join(folder, 'index.html'), 'utf8'))
  const sizes = await Promise.all(scripts.map(async (script) => brotliSize(await readFile(path.join(folder, script)))))
  expect(sizes.length).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET)
})

test('The head script lists the scripts of every view, none of which the app has loaded by then', async () => {
  const { folder } = await buildWeb()
  const html = await readFile(path.join(folder, 'index.html'), 'utf8')
  const head = /<script src="([^"]+)">/.exec(html)?.[1] ?? ''
  const code = await readFile(path.join(folder, head), 'utf8')
  for (const view of ['map', 'media', 'calendar', 'timeline', 'settings', 'feed', 'collections']) {
    const scripts = [...(new RegExp(`\\b${view}:\\[([^\\]]+)\\]`).exec(code)?.[1] ?? '').matchAll(/"([^"]+)"/g)].map(
      ([, file = '']) => file,
    )
    expect(scripts.length, view).toBeGreaterThan(0)
    for (const script of scripts) await access(path.join(folder, script))
    expect(scripts.filter((script) => firstScripts(html).includes(script))).toEqual([])
  }
})
