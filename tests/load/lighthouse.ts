import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { z } from 'zod'
import { findChromium } from '../../dev/chromium.ts'
import { Client } from '../../dev/http-client.ts'
import { freePort } from '../../dev/ports.ts'
import { seedDemo } from '../../dev/seed.ts'
import type { Stack } from '../../dev/stack.ts'
import { answered, type Figure, percentile } from './figures.ts'

/** Too large for a dependency of the project: downloaded on demand, in exactly this version. */
const LIGHTHOUSE = 'lighthouse@13.5.0'
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const METRICS = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
  'Speed Index': 'speed-index',
} as const
const OWN_CHROME = ['--chrome-flags=--headless=new --no-sandbox --disable-gpu']
/** The phone that Lighthouse emulates. */
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true }
const BLOG_POST = '/blog/sharing-without-worry'

const Report = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  finalDisplayedUrl: z.string(),
  environment: z.object({ benchmarkIndex: z.number() }),
  categories: z.record(
    z.string(),
    z.object({ score: z.number().nullable(), auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })) }),
  ),
  audits: z.record(
    z.string(),
    z.object({ title: z.string(), score: z.number().nullable(), displayValue: z.string().optional(), numericValue: z.number().optional() }),
  ),
})
type Report = z.infer<typeof Report>

interface Visit {
  name: string
  url: string
  flags: string[]
  /** Opens the browser for Lighthouse to use; by default Lighthouse starts its own. */
  open?: () => Promise<BrowserContext>
}

/**
 * Lighthouse in its settings for phones (slow 4G and a quarter of this processor, both simulated): medians of `runs` runs per page. Caches
 * and the service worker are removed before each, except where stated. Signed-in pages use the demo's Nora: on her own phone, where she has
 * opened the page before each run, and on one that has nothing of Cairn but her session.
 */
export async function measureLighthouse(stack: Stack, runs: number): Promise<Figure[]> {
  await seedDemo(stack)
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-lighthouse-'))
  const port = await freePort()
  const { hers, another } = phonesOf(stack, folder, port)
  try {
    const ownBrowser = [`--port=${port}`]
    const media = await mediaOfNora(stack)
    const figures: Figure[] = []
    for (const visit of [
      { name: 'home', url: `${stack.origin}/`, flags: OWN_CHROME },
      { name: 'a blog post', url: stack.origin + BLOG_POST, flags: OWN_CHROME },
      { name: 'media, signed in, with its service worker', url: media, flags: [...ownBrowser, '--disable-storage-reset'], open: hers },
      { name: 'media, signed in, caches emptied', url: media, flags: ownBrowser, open: hers },
      { name: 'media, signed in, nothing on the device', url: media, flags: ownBrowser, open: another },
    ]) {
      const reports: Report[] = []
      while (reports.length < runs) reports.push(await judge(visit, path.join(folder, 'report.json')))
      figures.push(...summary(visit.name, reports))
    }
    return [...figures, loadAtEnd()]
  } finally {
    await rm(folder, { recursive: true, maxRetries: 3 })
  }
}

/** Opens browsers in which Nora is signed in: on her phone, and on one that has nothing else. */
function phonesOf(stack: Stack, folder: string, port: number) {
  const args = ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`]
  const launch = async (profile: string, options = {}) =>
    chromium.launchPersistentContext(path.join(folder, profile), { executablePath: await findChromium(console.log), args, ...options })
  let others = 0
  return {
    hers: async () => {
      const context = await launch('hers', PHONE)
      await lookAsNora(context, stack).finally(() => context.close())
      return launch('hers')
    },
    another: async () => {
      const context = await launch(`another-${others++}`)
      await signInAsNora(context, stack)
      return context
    },
  }
}

/** The page of a link to the demo on a small phone, with nothing on the device: as somebody opens it from a message. */
export async function measureLink(stack: Stack, runs: number): Promise<Figure[]> {
  await seedDemo(stack)
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-lighthouse-'))
  try {
    const nora = new Client(stack.origin)
    await answered(nora.post('/api/auth/sign-in', NORA))
    const [first] = (await answered(nora.get('/api/collections'))).collections
    const { link } = await answered(nora.post(`/api/collections/${first.id}/links`, { kind: 'collection', allows: 'answer' }), 201)
    const screen = Object.entries({ width: 390, height: 844, deviceScaleFactor: 3 }).map(
      ([key, value]) => `--screenEmulation.${key}=${value}`,
    )
    const visit = { name: 'the page of a link', url: link.url, flags: [...OWN_CHROME, '--screenEmulation.mobile', ...screen] }
    const reports: Report[] = []
    while (reports.length < runs) reports.push(await judge(visit, path.join(folder, 'report.json')))
    return [...summary(visit.name, reports), loadAtEnd()]
  } finally {
    await rm(folder, { recursive: true, maxRetries: 3 })
  }
}

const load = (span: 0 | 2) => loadavg()[span]?.toFixed(1)

const loadAtEnd = (): Figure => ({ what: 'load of the machine at the end, 1 and 15 minutes', value: `${load(0)}, ${load(2)}` })

const NORA = { email: 'nora@example.org', password: 'cairn-demo' }

async function mediaOfNora({ origin }: Stack): Promise<string> {
  const client = new Client(origin)
  await client.post('/api/auth/sign-in', NORA)
  const { collections } = (await client.get('/api/collections')).body
  return `${origin}/collections/media?c=${collections[0].id}`
}

async function signInAsNora(context: BrowserContext, { origin }: Stack): Promise<void> {
  await context.request.post(`${origin}/api/auth/sign-in`, { data: NORA, headers: { origin } })
}

/** Opens the view until the device has stored the app's files and the content. */
async function lookAsNora(context: BrowserContext, stack: Stack): Promise<void> {
  await signInAsNora(context, stack)
  const page = await context.newPage()
  const media = await mediaOfNora(stack)
  await page.goto(media)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.locator('main img').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.goto('about:blank')
}

/** Retries once if the trace could not be recorded, which happens on a busy machine. */
async function judge(visit: Visit, output: string, again = true): Promise<Report> {
  const { url, flags } = visit
  const options = ['--output=json', `--output-path=${output}`, '--quiet', ...flags]
  // Reopened for each run, as Lighthouse does itself: garbage of an earlier page would be collected during the measurement.
  const browser = await visit.open?.()
  const code = await run(['exec', '--yes', '--package', LIGHTHOUSE, '--', 'lighthouse', url, ...options]).finally(() => browser?.close())
  const report = Report.parse(JSON.parse(await readFile(output, 'utf8')))
  const problem = report.runtimeError?.message ?? (report.finalDisplayedUrl === url ? '' : `led to ${report.finalDisplayedUrl}`)
  if (code === 0 && problem === '') return report
  if (!again) throw new Error(`Lighthouse at ${url}: ${problem || `ended with ${code}`}`)
  return judge(visit, output, false)
}

async function run(args: string[]): Promise<number | null> {
  const env = { ...process.env, CHROME_PATH: await findChromium(console.log) }
  const child = spawn('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], env })
  return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
}

function summary(name: string, reports: Report[]): Figure[] {
  const median = (of: (report: Report) => number) => percentile(reports.map(of), 0.5)
  const scores = CATEGORIES.map((id) => Math.round(median((report) => report.categories[id]?.score ?? 0) * 100))
  const metrics = Object.entries(METRICS).map(([short, id]) => {
    const value = median((report) => report.audits[id]?.numericValue ?? Number.NaN)
    return `${short} ${id === METRICS.CLS ? value.toFixed(3) : id === METRICS.TBT ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`}`
  })
  return [
    { what: `${name}: performance, accessibility, best practices, SEO (each at least 95)`, value: scores.join(', ') },
    {
      what: `${name}: performance of each run`,
      value: reports.map((report) => Math.round((report.categories.performance?.score ?? 0) * 100)).join(', '),
    },
    { what: `${name}: ${Object.keys(METRICS).join(', ')}`, value: metrics.join(', ') },
    {
      what: `${name}: how fast Lighthouse took this processor for (a quarter of it is a phone where this is at least 1500)`,
      value: String(Math.round(median((report) => report.environment.benchmarkIndex))),
    },
    ...lost(reports.at(-1)).map((value) => ({ what: `${name}: lost points by`, value })),
  ]
}

/** Reasons why a score other than performance is not full. */
function lost(report: Report | undefined): string[] {
  if (!report) return []
  const audits = CATEGORIES.filter((id) => id !== 'performance').flatMap((id) => report.categories[id]?.auditRefs ?? [])
  return audits.flatMap(({ id, weight }) => {
    const audit = report.audits[id]
    return weight > 0 && audit && audit.score !== null && audit.score < 1
      ? [`${audit.title}${audit.displayValue ? ` (${audit.displayValue})` : ''}`]
      : []
  })
}
