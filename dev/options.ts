import { parseArgs } from 'node:util'
import { messageOf, SetupError } from './setup-error.ts'

export const USAGE = `npm start                     start Cairn on http://127.0.0.1:4747
npm start -- --demo           … with a demo collection
npm start -- --port 5000      … on another port
npm start -- --reset [--yes]  … empty: removes all that Cairn keeps in .cairn
npm run dev                   … with hot reload
npm run services              everything but the worker, for use with "wrangler dev"`

const DEFAULT_PORT = 4747

export interface UpOptions {
  mode: 'start' | 'dev' | 'services'
  port: number
  demo: boolean
  reset: boolean
  yes: boolean
  help: boolean
}

export function readOptions(args: string[]): UpOptions {
  const { values } = parse(args)
  const port = Number(values.port ?? DEFAULT_PORT)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new SetupError(`"${values.port}" is not a port: choose a number from 1 to 65535, as in "npm start -- --port 5000".`)
  }
  const { demo, reset, yes, help } = values
  return { mode: values.dev ? 'dev' : values.services ? 'services' : 'start', port, demo, reset, yes, help }
}

function parse(args: string[]) {
  const flag = { type: 'boolean', default: false } as const
  try {
    return parseArgs({
      args,
      options: { port: { type: 'string', short: 'p' }, dev: flag, services: flag, demo: flag, reset: flag, yes: flag, help: flag },
    })
  } catch (error) {
    throw new SetupError(`${messageOf(error).split('.')[0]}. What there is:\n${USAGE}`)
  }
}
