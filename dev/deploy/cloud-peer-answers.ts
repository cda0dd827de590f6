/** State of an account at Neon and Cloudflare, as far as deployments and previews need it. */
export interface CloudState {
  /** How many writes Neon still refuses because operations on the branch are running. Each write starts some. */
  locked: number
  /** Methods of the next calls to answer with 503. */
  failing: string[]
  /** How many branches were ever created. */
  made: number
  /** Which token to refuse. */
  refused: 'neon' | 'cloudflare' | undefined
  /** How many calls there were. */
  calls: number
  /** How many of the next calls to answer with 429 and a Retry-After of five minutes. */
  limited: number
  /** Settings of Neon Auth's webhooks. */
  webhooks?: unknown
  /** Subdomain of workers.dev. */
  subdomain: string | undefined
  /** Each with the addresses to which its sign-in service may redirect users, once it has one. */
  branches: { id: string; name: string; trusted?: string[] }[]
  /** Address of the database of a branch, by its name; a dummy address if undefined. */
  databaseUrl: ((branch: string) => string) | undefined
  buckets: string[]
  /** Content of objects by bucket and key. */
  objects: Record<string, Record<string, unknown>>
  /** Versions of the worker, newest first. An upload adds one, a rollback does not. */
  versions: { id: string; tag: string }[]
  running: string | undefined
  /** The form of the last upload of the worker: its code and more. */
  uploaded: string
  /** Names of secrets that differ in all other versions. */
  changedSecrets?: string
  secrets: Record<string, string>
  hosts: string[]
  crons: string[]
  /** Whether previews have an address. */
  previewsEnabled: boolean
  previews: Record<string, { secrets: Record<string, string>; buckets: string[] }>
}

export interface CloudRequest {
  state: CloudState
  params: Record<string, string>
  search: URLSearchParams
  /** The JSON body; of a form, its `metadata`. */
  // biome-ignore lint/suspicious/noExplicitAny: each call has its own, and what is missing fails the test
  body: any
  /** The body as it was sent. */
  text: string
}

export class Refusal extends Error {
  readonly status: number
  readonly code: number
  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export type Answer = (request: CloudRequest) => unknown

const HOME = '/accounts/:account'
const SCRIPT = `${HOME}/workers/scripts/:script`
const PREVIEW = `${HOME}/workers/workers/:script/previews`
const BRANCH = '/projects/:project/branches'

/** Answers of Cloudflare's API, wrapped as `{success, result}` on the way out. Complete enough for wrangler itself. */
export const CLOUDFLARE: Record<string, Answer> = {
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
  [`GET ${HOME}/r2/buckets`]: ({ state, search }) => {
    const found = state.buckets.toSorted().filter((name) => name.includes(search.get('name_contains') ?? ''))
    return { buckets: found.filter((name) => name > (search.get('start_after') ?? '')).map((name) => ({ name })) }
  },
  [`POST ${HOME}/r2/buckets`]: ({ state, body }) => state.buckets.push(body.name),
  [`DELETE ${HOME}/r2/buckets/:bucket`]: ({ state, params: { bucket = '' } }) => {
    if (!state.buckets.includes(bucket)) throw new Refusal(404, 10006, 'The specified bucket does not exist.')
    if (Object.keys(state.objects[bucket] ?? {}).length > 0) throw new Refusal(409, 10008, 'The bucket you tried to delete is not empty.')
    state.buckets = state.buckets.filter((name) => name !== bucket)
  },
  [`GET ${HOME}/r2/buckets/:bucket/objects`]: ({ state, params: { bucket = '' } }) =>
    Object.keys(state.objects[bucket] ?? {}).map((key) => ({ key })),
  [`PUT ${HOME}/r2/buckets/:bucket/objects/*`]: ({ state, params: { bucket = '', rest = '' }, body }) => {
    state.objects[bucket] = { ...state.objects[bucket], [rest]: body }
  },
  [`DELETE ${HOME}/r2/buckets/:bucket/objects/*`]: ({ state, params: { bucket = '', rest = '' } }) => {
    delete state.objects[bucket]?.[rest]
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
  [`PUT ${SCRIPT}`]: upload,
  [`POST ${SCRIPT}/versions`]: upload,
  [`GET ${SCRIPT}/versions`]: ({ state }) => ({ items: required(state).versions.map(versionOf) }),
  [`GET ${SCRIPT}/versions/:version`]: ({ state, params }) => {
    const found = state.versions.find(({ id }) => id === params.version)
    if (!found) throw new Refusal(404, 10007, 'There is no such version.')
    return versionOf(found)
  },
  [`GET ${SCRIPT}/deployments`]: ({ state }) => ({ deployments: deploymentsOf(required(state)) }),
  [`POST ${SCRIPT}/deployments`]: ({ state, body, search }) => {
    if (state.changedSecrets && search.get('force') !== 'true')
      throw new Refusal(400, 10220, `Cannot roll back. The following secrets have changed: ${state.changedSecrets}`)
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
  [`GET ${PREVIEW}`]: ({ state }) => Object.keys(state.previews).map((name) => previewOf(state, name)),
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

/** Answers of Neon's API, not wrapped. */
export const NEON: Record<string, Answer> = {
  [`GET ${BRANCH}`]: ({ state, search }) => ({
    branches: state.branches.filter(({ name }) => name.includes(search.get('search') ?? '')),
  }),
  [`POST ${BRANCH}`]: ({ state, body }) => {
    const branch = { id: `br-${++state.made}`, name: body.branch.name }
    state.branches.push(branch)
    return { branch }
  },
  [`DELETE ${BRANCH}/:branch`]: ({ state, params }) => {
    state.branches = state.branches.filter(({ id }) => id !== params.branch)
    return {}
  },
  'GET /projects/:project/connection_uri': ({ state, search }) => {
    const { id, name } = branchOf(state, search.get('branch_id'))
    return { uri: state.databaseUrl?.(name) ?? `postgresql://u:p@${id}.neon.tech/neondb` }
  },
  [`GET ${BRANCH}/:branch/auth`]: ({ state, params }) => {
    if (!branchOf(state, params.branch).trusted) throw new Refusal(404, 404, 'not enabled')
    return { base_url: AUTH_URL }
  },
  [`POST ${BRANCH}/:branch/auth`]: ({ state, params }) => {
    branchOf(state, params.branch).trusted = []
    return { base_url: AUTH_URL }
  },
  [`POST ${BRANCH}/:branch/auth/domains`]: ({ state, params, body }) => {
    const { trusted = [] } = branchOf(state, params.branch)
    if (trusted.includes(body.domain)) throw new Refusal(409, 409, 'known')
    trusted.push(body.domain)
    return {}
  },
  [`PUT ${BRANCH}/:branch/auth/webhooks`]: ({ state, body }) => {
    state.webhooks = body
    return body
  },
}

function branchOf(state: CloudState, id: string | null | undefined): CloudState['branches'][number] {
  const branch = state.branches.find((one) => one.id === id)
  if (!branch) throw new Refusal(404, 404, 'branch not found')
  return branch
}

/** Answers of Cloudflare's API that are not wrapped: the content of an object. */
export const OBJECTS: Record<string, Answer> = {
  [`GET ${HOME}/r2/buckets/:bucket/objects/*`]: ({ state, params: { bucket = '', rest = '' } }) => {
    const content = state.objects[bucket]?.[rest]
    if (content === undefined) throw new Refusal(404, 10007, 'The specified key does not exist.')
    return content
  },
}

const AUTH_URL = 'https://ep-preview.neonauth.eu-central-1.aws.neon.tech/neondb/auth'

/** Throws Cloudflare's error for a worker that was never uploaded. */
function required(state: CloudState): CloudState {
  if (state.versions.length === 0) throw new Refusal(404, 10007, 'This Worker does not exist on your account.')
  return state
}

function upload({ state, body, text: form }: CloudRequest): unknown {
  const { bindings, annotations }: { bindings: Binding[]; annotations?: Record<string, string> } = body
  const id = `00000000-0000-4000-8000-00000000000${state.versions.length}`
  state.versions.unshift({ id, tag: annotations?.['workers/tag'] ?? '' })
  state.running = id
  state.uploaded = form
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
