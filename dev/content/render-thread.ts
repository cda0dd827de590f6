import { parentPort, workerData } from 'node:worker_threads'
import type { RenderInput } from './render-input.ts'

const { module, pages } = workerData as { module: string; pages: RenderInput[] }
const { render } = (await import(module)) as { render: (input: RenderInput) => Promise<string> }
const rendered: string[] = []
for (const page of pages) rendered.push(await render(page))
parentPort?.postMessage(rendered)
