import { type StackOptions, startStack } from '../../dev/stack.ts'
import { startControl } from './control.ts'

/** Addresses of a running stack. */
export interface StackAddress {
  origin: string
  databaseUrl: string
  postgresUrl: string
  authUrl: string
  liveKey: string
  /** The rooms: the worker's own origin, or a PartyKit host with the key for publications. */
  rooms: { origin: string; publishKey: string | null }
  sessionKeys: string
  /** Gives access to object storage and the minute's task: see control.ts. */
  control: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    stack: StackAddress
  }
}

export async function startTestStack({ worker, assets, vars }: Pick<StackOptions, 'worker' | 'assets' | 'vars'>) {
  const log = process.env.CAIRN_TEST_LOG ? console.log : () => {}
  // Tests sign in far more often than users.
  const stack = await startStack({
    worker,
    assets,
    vars: { RATE_LIMIT_FACTOR: '1000', MAIL_IN_DOMAIN: 'in.cairn.example', ...vars },
    log,
  })
  const control = await startControl(stack)
  const address: StackAddress = {
    origin: stack.origin,
    databaseUrl: stack.databaseUrl,
    postgresUrl: stack.postgresUrl,
    authUrl: stack.auth.url,
    liveKey: stack.vars.LIVE_KEY ?? '',
    rooms: { origin: stack.vars.PARTY_HOST || stack.origin, publishKey: stack.vars.PARTY_PUBLISH_KEY ?? null },
    sessionKeys: stack.vars.SESSION_KEYS ?? '',
    control: control.origin,
  }
  const stop = async () => {
    await control.stop()
    await stack.stop()
  }
  return { address, stop }
}
