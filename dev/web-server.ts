import { createServer } from 'vite'
import { withoutSignalHandlers } from './ending.ts'
import { HOST } from './ports.ts'
import { PROJECT } from './state-folder.ts'

/** Paths that Vite forwards to the worker; all others are the app's pages and modules. */
const WORKER_PATHS = ['/api/', '/_image/', '/_hooks/', '/parties/']

/** Starts Vite with hot reload in front of the worker. */
export async function startWebServer(options: { port: number; workerOrigin: string }): Promise<{ stop(): Promise<void> }> {
  const server = await createServer({
    configFile: `${PROJECT}/vite.config.ts`,
    configLoader: 'native',
    clearScreen: false,
    logLevel: 'warn',
    server: {
      host: HOST,
      port: options.port,
      strictPort: true,
      proxy: Object.fromEntries(WORKER_PATHS.map((path) => [path, { target: options.workerOrigin, ws: true }])),
    },
  })
  await withoutSignalHandlers(() => server.listen())
  return { stop: () => server.close() }
}
