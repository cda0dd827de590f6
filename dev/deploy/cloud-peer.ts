import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** State of an account at Neon and Cloudflare, as far as deployments and previews need it. */
interface CloudState {
  /** How many writes Neon still refuses because operations on the branch are running. Each write starts some. */
  locked: number
  /** Methods of the next calls to answer with 503. */
  failing: string[]
  /** How many of the next calls to answer with 429 and a Retry-After of five minutes. */
  limited: number
  /** Subdomain of workers.dev. */
  subdomain: string | undefined
  branches: { id: string; name: string }[]
  /** Addresses to which a branch's sign-in service may redirect users. */
  trusted: string[]
  auth: boolean
  /** The address of each branch's database; a dummy address if undefined. */
  databaseUrl: string | undefined
  buckets: string[]
  /** Keys of the objects in every bucket. */
  objects: string[]
  /** Versions of the worker, newest first. An upload adds one, a rollback does not. */
  versions: { id: string; tag: string }[]
  running: string | undefined
  secrets: Record<string, string>
  hosts: string[]
  crons: string[]
  /** Whether previews have an address. */
  previewsEnabled: boolean
  previews: Record<string, { secrets: Record<string, string>; buckets: string[] }>
}

export interface CloudPeer {
  url: string
  state: CloudState
  stop(): Promise<void>
}

interface CloudRequest {
  state: CloudState
  params: Record<string, string>
  search: URLSearchParams
  /** The JSON body; of a form, its `metadata`. */
  // biome-ignore lint/suspicious/noExplicitAny: each call has its own, and what is missing fails the test
  body: any
}

class Refusal extends Error {
  readonly status: number
  readonly code: number
  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

type Answer = (request: CloudRequest) => unknown

const HOME = '/accounts/:account'
const SCRIPT = `${HOME}/workers/scripts/:script`
const PREVIEW = `${HOME}/workers/workers/:script/previews`
const BRANCH = '/projects/:project/branches'

/** Answers of Cloudflare's API, wrapped as `{success, result}` on the way out. Complete enough for wrangler itself. */
const CLOUDFLARE: Record<string, Answer> = {
  'GET /user': () => ({ email: 'ada@example.org' }),
  'GET /user/tokens/verify': () => ({ status: 'active' }),
  'GET /accounts': () => [{ id: 'a1', name: 'Acme' }],
  'GET /memberships': () => [{ id: 'm1', account: { id: 'a1', name: 'Acme' } }],
  'POST /graphql': () => ({}),
  [`GET ${HOME}/workers/subdomain`]: ({ state: { subdomain } }) => {
    if (!subdomain) throw new Refusal(404, 10007, 'You do not have a workers.dev subdomain.')
    return { subdomain }
  },
  [`GET ${HOME}/r2/buckets/:bucket`]: ({ state, params: { bucket = '' } }) => {
    if (!state.buckets.includes(bucket)) throw new Refusal(404, 10006, 'The specified bucket does not exist.')
    return { name: bucket, creation_date: '2026-11-21', location: 'weur', storage_class: 'Standard' }
  },
  [`POST ${HOME}/r2/buckets`]: ({ state, body }) => state.buckets.push(body.name),
  [`DELETE ${HOME}/r2/buckets/:bucket`]: ({ state, params }) => {
    state.buckets = state.buckets.filter((name) => name !== params.bucket)
  },
  [`GET ${HOME}/r2/buckets/:bucket/objects`]: ({ state }) => state.objects.map((key) => ({ key })),
  [`DELETE ${HOME}/r2/buckets/:bucket/objects/*`]: ({ state, params }) => {
    state.objects = state.objects.filter((key) => key !== params.rest)
  },

  [`GET ${HOME}/workers/services/:script`]: ({ state }) => {
    required(state)
    return { default_environment: { script: { last_deployed_from: 'wrangler', migration_tag: 'v1', tag: state.running } } }
  },
  [`GET ${SCRIPT}/secrets`]: ({ state }) => Object.keys(required(state).secrets).map((name) => ({ name, type: 'secret_text' })),
  [`GET ${SCRIPT}/settings`]: ({ state }) => ({ bindings: [], migration_tag: required(state).running ? 'v1' : undefined }),
  [`PATCH ${SCRIPT}/script-settings`]: () => ({}),
  [`GET ${SCRIPT}/schedules`]: ({ state }) => ({ schedules: state.crons.map((cron) => ({ cron })) }),
  [`PUT ${SCRIPT}/schedules`]: ({ state, body }) => {
    state.crons = body.map(({ cron }: { cron: string }) => cron)
    return { schedules: body }
  },
  [`POST ${SCRIPT}/assets-upload-session`]: () => ({ jwt: 'jwt', buckets: [] }),
  [`PUT ${SCRIPT}`]: ({ state, body }) => upload(state, body),
  [`POST ${SCRIPT}/versions`]: ({ state, body }) => upload(state, body),
  [`GET ${SCRIPT}/versions`]: ({ state }) => ({ items: required(state).versions.map(versionOf) }),
  [`GET ${SCRIPT}/versions/:version`]: ({ state, params }) => {
    const found = state.versions.find(({ id }) => id === params.version)
    if (!found) throw new Refusal(404, 10007, 'There is no such version.')
    return versionOf(found)
  },
  [`GET ${SCRIPT}/deployments`]: ({ state }) => ({ deployments: deploymentsOf(required(state)) }),
  [`POST ${SCRIPT}/deployments`]: ({ state, body }) => {
    state.running = body.versions[0].version_id
    return deploymentsOf(state)[0]
  },
  [`POST ${SCRIPT}/subdomain`]: ({ state, body }) => {
    state.previewsEnabled = body.previews_enabled
    return { enabled: body.enabled, previews_enabled: state.previewsEnabled }
  },
  [`POST ${SCRIPT}/domains/changeset`]: () => ({ added: [], removed: [], updated: [], conflicting: [] }),
  [`PUT ${SCRIPT}/domains/records`]: ({ state, body }) => {
    state.hosts = body.origins.map(({ hostname }: { hostname: string }) => hostname)
  },

  [`GET ${HOME}/workers/workers/:script`]: ({ state }) => ({ subdomain: { enabled: false, previews_enabled: state.previewsEnabled } }),
  [`GET ${PREVIEW}/:preview`]: ({ state, params: { preview = '' } }) => {
    if (!state.previews[preview]) throw new Refusal(404, 10025, 'This preview was not there.')
    return previewOf(state, preview)
  },
  [`POST ${PREVIEW}`]: ({ state, body }) => {
    state.previews[body.name] = { secrets: {}, buckets: [] }
    return previewOf(state, body.name)
  },
  [`PATCH ${PREVIEW}/:preview`]: ({ state, params: { preview = '' } }) => previewOf(state, preview),
  [`DELETE ${PREVIEW}/:preview`]: ({ state, params: { preview = '' } }) => {
    if (!state.previews[preview]) throw new Refusal(404, 10025, 'This preview was not there.')
    delete state.previews[preview]
  },
  [`GET ${PREVIEW}/:preview/deployments/latest`]: () => {
    throw new Refusal(404, 10222, 'There is no deployment.')
  },
  [`POST ${PREVIEW}/:preview/deployments`]: ({ state, params: { preview = '' }, body }) => {
    const bindings = Object.values<Binding>(body.env)
    const secrets = Object.entries<Binding>(body.env).flatMap(([name, { type, text = '' }]) =>
      type === 'secret_text' ? [[name, text]] : [],
    )
    state.previews[preview] = {
      secrets: Object.fromEntries(secrets),
      buckets: bindings.flatMap(({ bucket_name }) => (bucket_name ? [bucket_name] : [])),
    }
    return { id: 'pd1', urls: previewOf(state, preview).urls, env: {} }
  },
}

interface Binding {
  name: string
  type: string
  text?: string
  bucket_name?: string
}

/** Attempts to write that fail while the operations of the previous write are running. */
const LOCKED = 2

/** Answers of Neon's API, not wrapped. */
const NEON: Record<string, Answer> = {
  [`GET ${BRANCH}`]: ({ state, search }) => ({
    branches: state.branches.filter(({ name }) => name.includes(search.get('search') ?? '')),
  }),
  [`POST ${BRANCH}`]: ({ state, body }) => {
    const branch = { id: `br-${state.branches.length + 1}`, name: body.branch.name }
    state.branches.push(branch)
    return { branch }
  },
  [`DELETE ${BRANCH}/:branch`]: ({ state, params }) => {
    state.branches = state.branches.filter(({ id }) => id !== params.branch)
    return {}
  },
  'GET /projects/:project/connection_uri': ({ state, search }) => ({
    uri: state.databaseUrl ?? `postgresql://u:p@${search.get('branch_id')}.neon.tech/neondb`,
  }),
  [`GET ${BRANCH}/:branch/auth`]: ({ state }) => {
    if (!state.auth) throw new Refusal(404, 404, 'not enabled')
    return { base_url: AUTH_URL }
  },
  [`POST ${BRANCH}/:branch/auth`]: ({ state }) => {
    state.auth = true
    return { base_url: AUTH_URL }
  },
  [`POST ${BRANCH}/:branch/auth/domains`]: ({ state, body }) => {
    if (state.trusted.includes(body.domain)) throw new Refusal(409, 409, 'known')
    state.trusted.push(body.domain)
    return {}
  },
}

const AUTH_URL = 'https://ep-preview.neonauth.eu-central-1.aws.neon.tech/neondb/auth'

/** Throws Cloudflare's error for a worker that was never uploaded. */
function required(state: CloudState): CloudState {
  if (state.versions.length === 0) throw new Refusal(404, 10007, 'This Worker does not exist on your account.')
  return state
}

function upload(state: CloudState, { bindings, annotations }: { bindings: Binding[]; annotations?: Record<string, string> }): unknown {
  const id = `00000000-0000-4000-8000-00000000000${state.versions.length}`
  state.versions.unshift({ id, tag: annotations?.['workers/tag'] ?? '' })
  state.running = id
  for (const { name, type, text = '' } of bindings) if (type === 'secret_text') state.secrets[name] = text
  return { ...versionOf({ id, tag: '' }), etag: id, deployment_id: id, startup_time_ms: 5, entry_point: 'index.js' }
}

const versionOf = ({ id, tag }: CloudState['versions'][number]) => ({
  ...{ id, number: 1, resources: { bindings: [], script: { etag: id, handlers: ['fetch'] }, script_runtime: {} } },
  metadata: { created_on: '2026-11-21T10:00:00Z', author_email: 'ada@example.org', source: 'wrangler' },
  annotations: { 'workers/tag': tag, 'workers/triggered_by': 'upload' },
})

/** The running version first, then the others in order. */
function deploymentsOf({ versions, running }: CloudState): unknown[] {
  const order = [...versions.filter(({ id }) => id === running), ...versions.filter(({ id }) => id !== running)]
  return order.map(({ id }) => ({
    ...{ id, source: 'wrangler', strategy: 'percentage', author_email: 'ada@example.org', created_on: '2026-11-21T10:00:00Z' },
    ...{ annotations: {}, versions: [{ version_id: id, percentage: 100 }] },
  }))
}

const previewOf = (state: CloudState, name: string) => ({
  ...{ id: name, name, slug: name },
  urls: state.previewsEnabled ? [`https://${name}-cairn.acme.workers.dev`] : [],
})

/** Neon's and Cloudflare's APIs on this machine. Both are at `url`: their paths do not overlap. */
export async function startCloudPeer(): Promise<CloudPeer> {
  const state: CloudState = {
    ...{ locked: 0, failing: [], limited: 0, subdomain: 'acme' },
    ...{ branches: [], trusted: [], auth: false, databaseUrl: undefined, buckets: [], objects: [], versions: [], running: undefined },
    ...{ secrets: {}, hosts: [], crons: [], previewsEnabled: false, previews: {} },
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { pathname, searchParams: search } = new URL(request.url ?? '/', 'http://api')
      const call = `${request.method} ${pathname}`
      const [status, body] = answer(call, { state, search, body: read(Buffer.concat(chunks).toString()) })
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
  const found = neon ?? find(CLOUDFLARE, call)
  if (!found) return [404, { success: false, errors: [{ code: 7003, message: `The peer does not know ${call}` }], result: null }]
  try {
    refuse(request.state, call)
    const result = found.answer({ ...request, params: found.params }) ?? {}
    if (neon && !call.startsWith('GET')) request.state.locked = LOCKED
    return [200, neon ? result : { success: true, errors: [], messages: [], result }]
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [error.status, { success: false, errors: [{ code: error.code, message: error.message }], messages: [], result: null }]
  }
}

function refuse(state: CloudState, call: string): void {
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
