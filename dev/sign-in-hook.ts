import { randomUUID } from 'node:crypto'
import { symmetricDecrypt } from 'better-auth/crypto'
import { CompactSign, importJWK } from 'jose'
import type pg from 'pg'
import { hookPayload } from '../worker/auth/hook-signature.ts'

export interface HookOptions {
  /** URL of the worker's webhook. */
  url: string
  /** The sign-in service's database, which holds its signing keys. */
  pool: pg.Pool
  secret: string
}

export interface MailEvent {
  type: 'email-verification' | 'forget-password'
  email: string
  /** The service's own link, which redirects to the address that the worker gave. */
  url: string
  token: string
}

/** Asks the worker to send a mail, as Neon Auth does by its webhook `send.magic_link`. Throws if it does not take it. */
export async function sendHook({ url, pool, secret }: HookOptions, { type, email, url: link_url, token }: MailEvent): Promise<void> {
  const event = { event_id: randomUUID(), event_type: 'send.magic_link', user: { email }, event_data: { link_type: type, link_url, token } }
  const body = JSON.stringify(event)
  const timestamp = String(Date.now())
  const { kid, key } = await signingKey(pool, secret)
  const [header, , signature] = (
    await new CompactSign(new TextEncoder().encode(hookPayload(timestamp, body))).setProtectedHeader({ alg: 'EdDSA', kid }).sign(key)
  ).split('.')
  const headers = {
    'content-type': 'application/json',
    'x-neon-signature': `${header}..${signature}`,
    'x-neon-signature-kid': kid,
    'x-neon-timestamp': timestamp,
    'x-neon-event-type': event.event_type,
    'x-neon-event-id': event.event_id,
  }
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The app refused to send a mail: ${response.status}`)
}

/** The newest of the keys that the service publishes. It stores them encrypted. */
async function signingKey(pool: pg.Pool, secret: string) {
  const { rows } = await pool.query<{ id: string; privateKey: string }>(
    'select id, "privateKey" from jwks order by "createdAt" desc limit 1',
  )
  const [newest] = rows
  if (!newest) throw new Error('The sign-in service has no keys yet')
  const jwk = await symmetricDecrypt({ key: secret, data: JSON.parse(newest.privateKey) })
  return { kid: newest.id, key: await importJWK(JSON.parse(jwk), 'EdDSA') }
}
