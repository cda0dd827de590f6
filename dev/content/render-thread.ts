import { parentPort, workerData } from 'node:worker_threads'
import type { Drawing } from './drawing.ts'

const { module, pages } = workerData as { module: string; pages: Drawing[] }
const { render } = (await import(module)) as { render: (drawing: Drawing) => Promise<string> }
const drawn: string[] = []
for (const page of pages) drawn.push(await render(page))
parentPort?.postMessage(drawn)
