import { decodeJwt, SignJWT } from 'jose'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { Client } from '../../dev/http-client.ts'
import { freePort } from '../../dev/ports.ts'
import { type Stack, startStack } from '../../dev/stack.ts'
import { startWorkerHost, type WorkerHost } from '../../dev/worker-host.ts'
import { upload } from '../support/files.ts'
import { PASSWORD } from '../support/world.ts'

const DELIVERY = 'https://res.example/acme/image/fetch'
let stack: Stack
let local: Client
let eve: Client
let photo: { id: string; version: number }
let bytes: Uint8Array
const hosts: WorkerHost[] = []

beforeAll(async () => {
  stack = await startStack({ worker: WORKER_BUNDLE, assets: false, vars: { RATE_LIMIT_FACTOR: '1000' } })
  local = await signUp('ada')
  eve = await signUp('eve')
  bytes = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#c60' } })
    .jpeg()
    .toBuffer()
  const { collection } = (await local.post('/api/collections', { name: 'Kyoto' })).body
  photo = await upload(local, bytes, { width: 400, height: 300, collectionIds: [collection.id] })
})

afterAll(async () => {
  for (const host of hosts) await host.dispose()
  await stack?.stop()
})

async function signUp(name: string): Promise<Client> {
  const client = new Client(stack.origin)
  expect((await client.post('/api/auth/sign-up', { email: `${name}@example.org`, password: PASSWORD, firstName: name })).status).toBe(201)
  return client
}

/** The same users at a worker on the same database and bucket that has another provider. */
async function withProvider(vars: Record<string, string>): Promise<{ ada: Client; eve: Client; anyone: Client }> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const host = await startWorkerHost({
    ...{ bundle: WORKER_BUNDLE, assets: false, port, storage: `${stack.dir}/other-${port}` },
    vars: { ...stack.vars, APP_ORIGIN: origin, ...vars },
  })
  hosts.push(host)
  const theirs = (client: Client) => {
    const same = new Client(origin)
    for (const [name, value] of client.cookies) same.cookies.set(name, value)
    return same
  }
  return { ada: theirs(local), eve: theirs(eve), anyone: new Client(origin) }
}

const wanted = () => `/_image/w_75,f_webp,q_80/${photo.id}?v=${photo.version}`

test('The local provider makes the image in the app', async () => {
  const answer = await local.get(wanted())
  expect(answer.status).toBe(200)
  expect((await sharp(answer.bytes).metadata()).width).toBe(75)
})

describe.each([
  ['cdn', {}, /^\/cdn-cgi\/image\/width=75,fit=scale-down,format=webp,quality=80,metadata=none(?<source>\/api\/asset\/.+)$/],
  ['delivery', { IMAGE_DELIVERY: DELIVERY }, /^https:\/\/res\.example\/acme\/image\/fetch\/w_75,c_limit,f_webp,q_80\/(?<source>http.+)$/],
] as const)('%s', (provider, vars, address) => {
  let site: Awaited<ReturnType<typeof withProvider>>
  let source: string
  beforeAll(async () => {
    site = await withProvider({ IMAGE_PROVIDER: provider, ...vars })
  })

  test('A user who sees the image is redirected to the same provider address each time', async () => {
    const { status, headers } = await site.ada.get(wanted())
    expect(status).toBe(302)
    const location = headers.get('location') ?? ''
    expect(location).toMatch(address)
    expect(headers.get('cache-control')).toBe('private, max-age=1800')
    const found = decodeURIComponent(address.exec(location)?.groups?.source ?? '')
    const url = new URL(found, site.anyone.origin)
    expect(url.origin).toBe(site.anyone.origin)
    source = url.pathname + url.search
    expect((await site.ada.get(wanted())).headers.get('location')).toBe(location)
  })

  test('A user who does not see the image is not redirected', async () => {
    expect((await site.eve.get(wanted())).status).toBe(404)
    expect((await site.anyone.get(wanted())).status).toBe(401)
  })

  test('The provider fetches with the signed URL only the image that the user may see', async () => {
    // The bytes are in the first worker's storage; rows and keys are shared.
    const fetched = await new Client(stack.origin).get(source)
    expect(fetched.status).toBe(200)
    expect(Buffer.from(fetched.bytes).equals(Buffer.from(bytes))).toBe(true)
    const pass = new URL(source, stack.origin).searchParams.get('pass') ?? ''
    const { anyone } = site
    expect((await anyone.get(`/api/asset/${photo.id}/renditions/thumb?pass=${pass}`)).status).toBe(401)
    expect((await anyone.get(`/api/asset/${photo.id}?pass=${pass}`)).status).toBe(401)
    expect((await anyone.get(source.slice(0, -2))).status).toBe(401)
    const forged = await new SignJWT(decodeJwt(pass))
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(stack.vars.LIVE_KEY))
    expect((await anyone.get(source.replace(pass, forged))).status).toBe(401)
  })
})
