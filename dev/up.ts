import { onStopRequest } from './ending.ts'
import { readOptions, type UpOptions, USAGE } from './options.ts'
import { messageOf, SetupError } from './setup-error.ts'
import type { Stack } from './stack.ts'
import { PROJECT, STATE_FOLDER } from './state-folder.ts'
import { seconds, step } from './steps.ts'

// Vite's configuration is relative to the checkout, whatever the working directory.
process.chdir(PROJECT)
const { requested, request } = onStopRequest()
const ended = new AbortController()
let failed = false
/** Hides the mail that seeding the demo sends. */
let ready = false
requested.then((reason) => {
  failed = reason !== ''
  console.log(failed ? `\nCairn ends: ${reason}.` : '\nCairn ends.')
  ended.abort()
})

try {
  await main(readOptions(process.argv.slice(2)))
} catch (error) {
  if (!ended.signal.aborted) {
    failed = true
    console.error(error instanceof SetupError ? `\n${error.message}` : error)
  }
}
process.exit(failed ? 1 : 0)

async function main(options: UpOptions): Promise<void> {
  if (options.help) return console.log(USAGE)
  const begin = performance.now()
  if (options.reset && !(await (await import('./reset.ts')).reset(STATE_FOLDER, options.yes))) return console.log('Nothing was removed.')
  const ending: (() => Promise<unknown>)[] = []
  try {
    const stack = await start(options, ending)
    if (options.demo) await step('demo', () => addDemo(stack))
    if (options.mode === 'start') await (await import('./build-worker.ts')).endBundler()
    ready = true
    announce(options, stack, performance.now() - begin)
    await requested
  } finally {
    for (const end of ending.toReversed()) await end()
  }
}

/** Starts the parts for the mode; each adds a function that ends it. */
async function start({ mode, port }: UpOptions, ending: (() => Promise<unknown>)[]): Promise<Stack> {
  const { signal } = ended
  const { startStack } = await import('./stack.ts')
  const stack = await startStack({
    dir: STATE_FOLDER,
    port,
    fronted: mode !== 'start',
    ports: { auth: port + 1, neon: port + 2, postgres: port + 3 },
    worker: mode !== 'services' && inBackground(step('code', async () => (await import('./build-worker.ts')).buildWorker())),
    assets: mode !== 'dev' && inBackground(webBuild(signal)),
    step,
    signal,
    log: (line) => console.log(`  ${line}`),
    onMail: ({ to, subject, link }) => ready && console.log(`  Mail to ${to}: ${subject}${link ? ` → ${link}` : ''}`),
    onGiveUp: request,
  })
  ending.push(() => stack.stop())
  signal.throwIfAborted()
  const { writeDevVars } = await import('./dev-vars.ts')
  await writeDevVars(stack.vars).catch((error: unknown) => console.log(`  .dev.vars for wrangler dev was not written: ${messageOf(error)}`))
  if (mode === 'dev') ending.push(await startHotReload(stack, port))
  return stack
}

/** Prevents an unhandled rejection if work fails before it is awaited. */
function inBackground<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}

async function webBuild(signal: AbortSignal): Promise<string> {
  const { buildWeb } = await import('./build-web.ts')
  const { folder } = await step('web app', () => buildWeb(signal))
  return folder
}

async function startHotReload(stack: Stack, port: number): Promise<() => Promise<unknown>> {
  const { watchWorker } = await import('./build-worker.ts')
  const { startWebServer } = await import('./web-server.ts')
  const web = await step('web server', () => startWebServer({ port, workerOrigin: stack.worker.origin }))
  let first = true
  const watching = await watchWorker(async (outcome) => {
    if ('errors' in outcome) return console.log(`✗ worker\n  ${outcome.errors.join('\n  ')}`)
    // The first bundle is already running.
    if (!first) await step('worker', () => stack.worker.reload(outcome.bundle)).catch(() => {})
    first = false
  })
  return () => Promise.all([watching.stop(), web.stop()])
}

async function addDemo(stack: Stack): Promise<void> {
  const { seedDemo } = await import('./seed.ts')
  await seedDemo(stack)
}

function announce({ mode, port }: UpOptions, stack: Stack, took: number): void {
  console.log(`\nMail that would be sent is shown here and at ${stack.auth.origin}/outbox`)
  if (mode === 'services')
    console.log(`The services run (${seconds(took)}); "npx wrangler dev --port ${port}" now serves Cairn at ${stack.origin}`)
  else console.log(`Cairn is ready at ${stack.origin} (${seconds(took)}). Ctrl-C ends it.`)
}
