import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { build } from 'vite'
import { language } from '../language/plugin.ts'
import { PROJECT } from '../state-folder.ts'
import type { RenderInput } from './render-input.ts'

/** Kept between builds only for inspection. */
const FOLDER = path.join(PROJECT, 'dist/prerender')

/** Renders every page with the app's own components, in a thread that can be terminated: the app opens channels and timers. */
export async function renderPages(pages: readonly RenderInput[]): Promise<string[]> {
  await buildRenderer()
  const module = pathToFileURL(path.join(FOLDER, 'prerender.js')).href
  const worker = new Worker(new URL('./render-thread.ts', import.meta.url), { workerData: { module, pages } })
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', (code) => reject(new Error(`The pages could not be drawn (${code})`)))
    })
  } finally {
    await worker.terminate()
  }
}

async function buildRenderer(): Promise<void> {
  const { default: react } = await import('@vitejs/plugin-react')
  await build({
    configFile: false,
    root: path.join(PROJECT, 'web'),
    logLevel: 'warn',
    plugins: [language(), react()],
    build: {
      ssr: 'prerender.tsx',
      outDir: FOLDER,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      copyPublicDir: false,
      rolldownOptions: { output: { entryFileNames: 'prerender.js' } },
    },
  })
}
