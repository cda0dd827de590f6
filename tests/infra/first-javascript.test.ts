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
  const sizes = await Promise.all(scripts.map(async (script) => brotliSize(await readFile(path.join(folder, script)))))
  expect(sizes.length).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET)
})

test('every script that a page begins with is named after those that it imports', async () => {
  const { folder } = await buildWeb()
  const html = await readFile(path.join(folder, 'index.html'), 'utf8')
  const app = firstScripts(html)
  const [files = '', ...pages] = (/<meta name="cairn-views" content="([^"]+)"/.exec(html)?.[1] ?? '').split(';')
  const names = files.split(' ').map((file) => `/assets/${file}`)
  const views = pages.map((line) => line.split(' ').slice(1)).map((nths) => nths.map((nth) => names[Number(nth)] ?? nth))
  expect(app.length).toBeGreaterThan(4)
  expect(views.length).toBeGreaterThan(4)
  const imports = async (script: string) => {
    const code = await readFile(path.join(folder, script), 'utf8')
    return [...code.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)].map(([, file]) => `/assets/${file}`)
  }
  for (const scripts of views.map((view) => [...app, ...view])) {
    for (const [nth, script] of scripts.entries()) {
      const later = (await imports(script)).filter((file) => !scripts.slice(0, nth).includes(file))
      // Two that import each other are read together.
      for (const file of later) expect(await imports(file), `${script} comes before ${file}`).toContain(script)
    }
  }
})
