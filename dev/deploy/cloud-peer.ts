import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answer, CLOUDFLARE, type CloudRequest, type CloudState, NEON, OBJECTS, Refusal } from './cloud-peer-answers.ts'

export interface CloudPeer {
  url: string
  state: CloudState
  stop(): Promise<void>
}

/** Attempts to write that fail while the operations of the previous write are running. */
const LOCKED = 2

/** Neon's and Cloudflare's APIs on this machine. Both are at `url`: their paths do not overlap. */
export async function startCloudPeer(): Promise<CloudPeer> {
  const state: CloudState = {
    ...{ locked: 0, failing: [], made: 0, refused: undefined, calls: 0, limited: 0, subdomain: 'acme' },
    ...{ branches: [], databaseUrl: undefined, buckets: [], objects: {}, versions: [], running: undefined, uploaded: '' },
    ...{ secrets: {}, hosts: [], crons: [], previewsEnabled: false, previews: {} },
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { pathname, searchParams: search } = new URL(request.url ?? '/', 'http://api')
      const call = `${request.method} ${pathname}`
      state.calls++
      const text = Buffer.concat(chunks).toString()
      const [status, body] = answer(call, { state, search, body: read(text), text })
      const headers = { 'content-type': 'application/json', ...(status === 429 && { 'retry-after': '300' }) }
      response.writeHead(status, headers).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A listening server's address is a string only for pipes.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, state, stop: () => new Promise((resolve) => server.close(() => resolve())) }
}

function read(text: string): unknown {
  const json = text.startsWith('--') ? (/name="metadata"\r\n\r\n(.*?)\r\n--/s.exec(text)?.[1] ?? '{}') : text
  return json ? JSON.parse(json) : {}
}

function answer(call: string, request: Omit<CloudRequest, 'params'>): [number, unknown] {
  const neon = find(NEON, call)
  const unwrapped = neon ?? find(OBJECTS, call)
  const found = unwrapped ?? find(CLOUDFLARE, call)
  if (!found) return [404, { success: false, errors: [{ code: 7003, message: `The peer does not know ${call}` }], result: null }]
  try {
    refuse(request.state, call)
    const result = found.answer({ ...request, params: found.params }) ?? {}
    if (neon && !call.startsWith('GET')) request.state.locked = LOCKED
    return [200, unwrapped ? result : { success: true, errors: [], messages: [], result }]
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [error.status, { success: false, errors: [{ code: error.code, message: error.message }], messages: [], result: null }]
  }
}

function refuse(state: CloudState, call: string): void {
  const owner = find(NEON, call) ? 'neon' : 'cloudflare'
  if (state.refused === owner)
    throw owner === 'neon' ? new Refusal(401, 401, 'not authorized') : new Refusal(403, 9109, 'Invalid access token')
  if (state.limited-- > 0) throw new Refusal(429, 971, 'Please wait and consider throttling your request speed')
  if (call.startsWith(`${state.failing[0]} `)) throw new Refusal(503, 503, `no answer to ${state.failing.shift()}`)
  if (!find(NEON, call) || call.startsWith('GET') || state.locked === 0) return
  state.locked--
  throw new Refusal(423, 423, 'project already has running conflicting operations, scheduling of new ones is prohibited')
}

/** `:name` matches one segment of the path; a `*` at the end matches the rest, as `rest`. */
function find(answers: Record<string, Answer>, call: string): { answer: Answer; params: Record<string, string> } | undefined {
  for (const [pattern, answer] of Object.entries(answers)) {
    const form = pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)').replace(/\*$/, '(?<rest>.+)')
    const match = new RegExp(`^${form}$`).exec(call)
    if (!match) continue
    const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
    return { answer, params: Object.fromEntries(params) }
  }
  return undefined
}
