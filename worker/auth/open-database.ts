import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { connect, connectAround, type Db, type GuestWork } from '../db/client.ts'
import { connectForWriting } from '../queries/changes.ts'
import { SAFE_METHODS } from './origin.ts'

interface Opening {
  access?: string
  guest?: GuestWork | undefined
  unseen?: boolean
  writes?: boolean
}

/**
 * The database of a request. `access` as in `Around`. `writes`: its changes are published after the answer; false for safe methods, unless a
 * call of one writes all the same. `guest` and `unseen` as in `Around`.
 */
export function openDatabase(
  c: Context<AppEnv>,
  { access, guest, unseen = false, writes = !SAFE_METHODS.has(c.req.method) }: Opening = {},
): Db {
  const { DATABASE_URL: url, NEON_PROXY: proxy } = c.env
  if (writes) return connectForWriting(url, proxy, { access, guest }, c.var.written)
  return access === undefined ? connect(url, proxy) : connectAround(url, proxy, { access, guest, unseen })
}
