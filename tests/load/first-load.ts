import { chromium } from 'playwright-core'
import { findChromium } from '../../dev/chromium.ts'
import type { Stack } from '../../dev/stack.ts'
import { CHROMIUM_ARGS } from '../support/browser.ts'
import { brotliSize, firstScripts } from '../support/first-scripts.ts'
import type { Figure } from './figures.ts'

/**
 * JavaScript in brotli: the scripts of index.html, and everything that a signed-in browser has loaded once it is idle, including other
 * views.
 */
export async function measureFirstLoad(stack: Stack): Promise<Figure[]> {
  const browser = await chromium.launch({ executablePath: await findChromium(console.log), args: CHROMIUM_ARGS })
  try {
    const context = await browser.newContext({ baseURL: stack.origin, serviceWorkers: 'block' })
    const data = { email: 'ada@example.org', password: 'correct horse battery' }
    await context.request.post('/api/auth/sign-in', { data, headers: { origin: stack.origin } })
    const page = await context.newPage()
    const scripts = new Map<string, Promise<number>>()
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return
      scripts.set(new URL(response.url()).pathname, response.body().then(brotliSize))
    })
    await page.goto('/collections', { waitUntil: 'networkidle' })
    const html = await (await context.request.get('/collections')).text()
    const initial = firstScripts(html)
    const first = await total([...scripts].filter(([path]) => initial.includes(path)).map(([, size]) => size))
    return [
      { what: 'JavaScript that index.html names for its start, brotli', value: first },
      { what: 'JavaScript once /collections is idle, other views prefetched, brotli', value: await total([...scripts.values()]) },
    ]
  } finally {
    await browser.close()
  }
}

async function total(sizes: Promise<number>[]): Promise<string> {
  return `${((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000).toFixed(1)} KB`
}
