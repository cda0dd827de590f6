import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { jwtVerify } from 'jose'
import { expect } from 'vitest'
import { PushMessage, type PushSubscription } from '../../contract/push.ts'
import { freePort, HOST } from '../../dev/ports.ts'
import type { World } from './world.ts'

/** A message as the service worker would read it, and its sender as seen by the push service. */
interface Received {
  message: PushMessage
  /** Claims of the sender's token after its signature was checked, and the key. */
  sender: { aud: string; sub: string; exp: number; key: string }
  headers: IncomingHttpHeaders
}

/** A push service with the browsers subscribed to it: it decrypts as they would (RFC 8291). */
export interface PushService {
  origin: string
  /** Subscribes a new browser. */
  browser(): { subscription: PushSubscription; received: Received[]; attempts: () => number }
  /** Status of every answer from now on. */
  answer: number
  stop(): Promise<void>
}

interface Browser {
  keys: ECDH
  auth: Buffer
  received: Received[]
  attempts: number
}

export async function startPushService(): Promise<PushService> {
  const port = await freePort()
  const origin = `http://${HOST}:${port}`
  const browsers = new Map<string, Browser>()
  const problems: unknown[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const browser = browsers.get(request.url ?? '')
    if (!browser) return void response.writeHead(404).end()
    browser.attempts++
    if (service.answer >= 300) return void response.writeHead(service.answer).end()
    try {
      const message = PushMessage.parse(JSON.parse(decrypt(browser, Buffer.concat(chunks))))
      const sender = await readSender(request.headers.authorization ?? '')
      browser.received.push({ message, sender, headers: request.headers })
      response.writeHead(201).end()
    } catch (error) {
      problems.push(error)
      response.writeHead(400).end()
    }
  })
  const service: PushService = {
    origin,
    answer: 201,
    browser() {
      const keys = createECDH('prime256v1')
      keys.generateKeys()
      const browser: Browser = { keys, auth: randomBytes(16), received: [], attempts: 0 }
      const path = `/push/${randomBytes(12).toString('hex')}`
      browsers.set(path, browser)
      const subscription = {
        endpoint: origin + path,
        keys: { p256dh: keys.getPublicKey('base64url'), auth: browser.auth.toString('base64url') },
      }
      return { subscription, received: browser.received, attempts: () => browser.attempts }
    },
    async stop() {
      await new Promise((resolve) => server.close(resolve))
      if (problems.length > 0) throw problems[0]
    },
  }
  await new Promise<void>((resolve) => server.listen(port, HOST, resolve))
  return service
}

/** A browser in which the user gets notifications. */
export async function browserOf(service: PushService, w: World, name: string) {
  const browser = service.browser()
  const { status } = await w.as(name).post('/api/push/subscriptions', browser.subscription)
  expect(status).toBe(200)
  return { ...browser, bodies: () => browser.received.map(({ message }) => `${message.title}: ${message.body}`) }
}

export const note = (w: World, name: string, collectionId = w.collection.id) =>
  w.as(name).post('/api/post', { type: 'note', title: 'Hi', collectionIds: [collectionId] })

/** Moves everything that happened in a collection back by some minutes. */
export async function age(w: World, minutes = 6, collectionId = w.collection.id): Promise<void> {
  const earlier = `${minutes} minutes`
  await w.sql`update collections set created_at = created_at - interval '1 day' where id = ${collectionId}`
  await w.sql`update members set joined_at = joined_at - interval '1 day' where collection_id = ${collectionId}`
  await w.sql`update post_collections set added_at = added_at - ${earlier}::interval where collection_id = ${collectionId}`
  await w.sql`update asset_collections set added_at = added_at - ${earlier}::interval where collection_id = ${collectionId}`
  await w.sql`update notices set told_at = told_at - ${earlier}::interval where collection_id = ${collectionId}`
}

/** One record of `aes128gcm`: salt, record size, the sender's point, and the ciphertext. */
function decrypt({ keys, auth }: Browser, body: Buffer): string {
  const salt = body.subarray(0, 16)
  const length = body.readUInt8(20)
  const sender = body.subarray(21, 21 + length)
  if (body.length > body.readUInt32BE(16)) throw new Error('There is more than one record')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
  const secret = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32))
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12))
  const sealed = body.subarray(21 + length)
  const cipher = createDecipheriv('aes-128-gcm', key, nonce)
  cipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0 || padded.subarray(end + 1).some((byte: number) => byte !== 0)) throw new Error('The last record does not end as one')
  return padded.subarray(0, end).toString()
}

/** `vapid t=…, k=…` (RFC 8292). */
async function readSender(authorization: string): Promise<Received['sender']> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  const { payload } = await jwtVerify(token, publicKey, { algorithms: ['ES256'], requiredClaims: ['aud', 'sub', 'exp'] })
  return { aud: String(payload.aud), sub: payload.sub ?? '', exp: payload.exp ?? 0, key }
}
