import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { SIGN_IN_HOOK_PATH } from '../../worker/auth/hook-signature.ts'
import { SetupError } from '../setup-error.ts'
import { unreachable } from './sentences.ts'

/** Calls to Neon's and Cloudflare's APIs that wrangler has no command for. */
export interface Cloud {
  neon: { url: string; key: string; project: string }
  cloudflare: { url: string; token: string; account: string }
  /** Waits between two attempts; tests replace it to return at once. */
  wait?: (ms: number) => Promise<unknown>
}

const ENVIRONMENT = ['NEON_API_KEY', 'NEON_PROJECT_ID', 'CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID'] as const

export function cloudOf(env: NodeJS.ProcessEnv): Cloud {
  const missing = ENVIRONMENT.filter((name) => !env[name])
  if (missing.length > 0) throw new SetupError(`A preview needs ${missing.join(', ')} in the environment: see docs/deploy.md.`)
  const {
    NEON_API_KEY: key = '',
    NEON_PROJECT_ID: project = '',
    CLOUDFLARE_API_TOKEN: token = '',
    CLOUDFLARE_ACCOUNT_ID: account = '',
  } = env
  return {
    neon: { url: env.NEON_API_HOST ?? 'https://console.neon.tech/api/v2', key, project },
    // The same variable as wrangler reads.
    cloudflare: { url: env.CLOUDFLARE_API_BASE_URL ?? 'https://api.cloudflare.com/client/v4', token, account },
  }
}

interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: unknown
  /** Statuses besides 2xx that are an answer and not a failure. */
  also?: number[]
}

/** Milliseconds before each retry, a minute in total unless an answer asks for more: Neon's operations on a branch take seconds. */
const WAITS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

/**
 * 423: Neon is still working on the branch. 429: rate limited. Neither call had any effect. A failed POST may have had one, so it is not
 * retried.
 */
const isWorthAnother = (status: number, method: string) => status === 423 || status === 429 || (status >= 500 && method !== 'POST')

/**
 * Milliseconds. Cloudflare blocks a caller for up to five minutes after more than 1200 calls in five minutes, and gives the time in
 * seconds.
 */
const askedToWait = ({ headers }: Response) => Number(headers.get('retry-after')) * 1_000 || 0

interface Caller {
  key: string
  /** Says what to do if the key is refused. */
  refusal: string
  wait: Cloud['wait']
}

async function call(url: string, { key, refusal, wait = sleep }: Caller, { method = 'GET', body, also = [] }: Call) {
  const request = {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  const ask = () =>
    fetch(url, { ...request, signal: AbortSignal.timeout(60_000) }).catch((error: unknown) => {
      throw unreachable(new URL(url).host, error)
    })
  let response = await ask()
  for (const ms of WAITS) {
    if (!isWorthAnother(response.status, method)) break
    await response.body?.cancel()
    await wait(Math.max(ms, askedToWait(response)))
    response = await ask()
  }
  const text = await response.text()
  if (response.status === 401 || response.status === 403)
    throw new SetupError(`${refusal} It answered ${response.status}: ${text.slice(0, 500)}`)
  if (!response.ok && !also.includes(response.status))
    throw new SetupError(`${method} ${new URL(url).pathname} was answered with ${response.status}: ${text.slice(0, 500)}`)
  try {
    return { status: response.status, body: text ? JSON.parse(text) : undefined }
  } catch {
    throw new SetupError(
      `${method} ${url} was not answered with JSON: a proxy may stand between. The answer begins with: ${text.slice(0, 200)}`,
    )
  }
}

const Branches = z.looseObject({ branches: z.array(z.looseObject({ id: z.string(), name: z.string(), default: z.boolean().optional() })) })
const NewBranch = z.looseObject({ branch: z.looseObject({ id: z.string() }) })
const Uri = z.looseObject({ uri: z.string() })
const Auth = z.looseObject({ base_url: z.string() })

export interface DatabaseBranch {
  databaseUrl: string
  authUrl: string
}

/** Ensures that a branch of the database of this name exists, with its own sign-in service. Allows redirects from sign-in to `origin`. */
export async function openBranch(cloud: Cloud, name: string, origin: string): Promise<DatabaseBranch> {
  const ask = asksNeon(cloud)
  const id = (await findBranch(cloud, name)) ?? NewBranch.parse((await ask('/branches', newBranch(name))).body).branch.id
  const branch = `/branches/${id}`
  const { uri } = Uri.parse((await ask(`/connection_uri?${new URLSearchParams({ ...DATABASE, branch_id: id })}`)).body)
  const known = await ask(`${branch}/auth`, { also: [404] })
  const auth = known.status === 404 ? await ask(`${branch}/auth`, { method: 'POST', body: { auth_provider: 'better_auth' } }) : known
  await ask(`${branch}/auth/domains`, { method: 'POST', body: { auth_provider: 'better_auth', domain: origin }, also: [409] })
  // Mails about accounts are caught with the others.
  const webhooks = { enabled: true, webhook_url: origin + SIGN_IN_HOOK_PATH, enabled_events: ['send.magic_link'], timeout_seconds: 5 }
  await ask(`${branch}/auth/webhooks`, { method: 'PUT', body: webhooks })
  return { databaseUrl: uri, authUrl: Auth.parse(auth.body).base_url }
}

/** Neon's names for the database and its owner in a new project. */
const DATABASE = { database_name: 'neondb', role_name: 'neondb_owner' }

const newBranch = (name: string): Call => ({ method: 'POST', body: { branch: { name }, endpoints: [{ type: 'read_write' }] } })

export async function removeBranch(cloud: Cloud, name: string): Promise<void> {
  const id = await findBranch(cloud, name)
  if (id) await asksNeon(cloud)(`/branches/${id}`, { method: 'DELETE', also: [404] })
}

async function findBranch(cloud: Cloud, name: string): Promise<string | undefined> {
  const { body } = await asksNeon(cloud)(`/branches?${new URLSearchParams({ search: name })}`)
  return Branches.parse(body).branches.find((branch) => branch.name === name)?.id
}

/** Names of the database's branches, without the one that the project came with. */
export async function listBranches(cloud: Cloud): Promise<string[]> {
  const { body } = await asksNeon(cloud)('/branches')
  return Branches.parse(body).branches.flatMap((branch) => (branch.default ? [] : [branch.name]))
}

const NEON_REFUSAL =
  'Neon refuses NEON_API_KEY for the project NEON_PROJECT_ID: create a key in its console (Account settings, API keys), or correct the ID.'
const CLOUDFLARE_REFUSAL =
  'Cloudflare refuses CLOUDFLARE_API_TOKEN for CLOUDFLARE_ACCOUNT_ID: create a token from the template "Edit Cloudflare Workers" for this account.'

function asksNeon({ neon: { url, key, project }, wait }: Cloud) {
  return (path: string, options: Call = {}) => call(`${url}/projects/${project}${path}`, { key, wait, refusal: NEON_REFUSAL }, options)
}

function asksCloudflare({ cloudflare: { url, token: key, account }, wait }: Cloud) {
  return (path: string, options: Call = {}) =>
    call(`${url}/accounts/${account}${path}`, { key, wait, refusal: CLOUDFLARE_REFUSAL }, options)
}

const Subdomain = z.looseObject({ result: z.looseObject({ subdomain: z.string() }) })
const Objects = z.looseObject({ result: z.array(z.looseObject({ key: z.string() })).nullable() })

/** The account's subdomain of workers.dev. */
export async function workersSubdomain(cloud: Cloud): Promise<string> {
  const { status, body } = await asksCloudflare(cloud)('/workers/subdomain', { also: [404] })
  if (status === 404)
    throw new SetupError('Previews need a name below workers.dev: Workers & Pages in the dashboard of Cloudflare offers one.')
  return Subdomain.parse(body).result.subdomain
}

const Buckets = z.looseObject({ result: z.looseObject({ buckets: z.array(z.looseObject({ name: z.string() })) }) })
const Previews = z.looseObject({ result: z.array(z.looseObject({ name: z.string() })) })

/** Names of all buckets with this prefix. wrangler prints them as a table for people. */
export async function listBuckets(cloud: Cloud, prefix: string): Promise<string[]> {
  const all: string[] = []
  for (;;) {
    const query = new URLSearchParams({ name_contains: prefix, per_page: '1000', start_after: all.at(-1) ?? '' })
    const { buckets } = Buckets.parse((await asksCloudflare(cloud)(`/r2/buckets?${query}`)).body).result
    if (buckets.length === 0) return all.filter((name) => name.startsWith(prefix))
    all.push(...buckets.map(({ name }) => name))
  }
}

/** Names of the worker's previews; none if the worker was never uploaded. wrangler has no command for it. */
export async function listPreviews(cloud: Cloud, worker: string): Promise<string[]> {
  const all = new Set<string>()
  for (let page = 1; ; page++) {
    const { status, body } = await asksCloudflare(cloud)(`/workers/workers/${worker}/previews?page=${page}&per_page=100`, { also: [404] })
    const names = status === 404 ? [] : Previews.parse(body).result.map(({ name }) => name)
    // A page that brings nothing new is the last, also where the parameters are ignored.
    if (names.every((name) => all.has(name))) return [...all]
    for (const name of names) all.add(name)
  }
}

const objectPath = (bucket: string, key: string) => `/r2/buckets/${bucket}/objects/${key.split('/').map(encodeURIComponent).join('/')}`

/** A JSON object of a bucket, or undefined. Not by wrangler, whose failure does not say whether the object or the network is missing. */
export async function readJsonObject(cloud: Cloud, bucket: string, key: string): Promise<unknown> {
  const { status, body } = await asksCloudflare(cloud)(objectPath(bucket, key), { also: [404] })
  return status === 404 ? undefined : body
}

export async function writeJsonObject(cloud: Cloud, bucket: string, key: string, body: unknown): Promise<void> {
  await asksCloudflare(cloud)(objectPath(bucket, key), { method: 'PUT', body })
}

/** A bucket can only be deleted when it is empty. */
export async function emptyBucket(cloud: Cloud, bucket: string): Promise<void> {
  const ask = asksCloudflare(cloud)
  for (;;) {
    const page = await ask(`/r2/buckets/${bucket}/objects?per_page=1000`, { also: [404] })
    const keys = page.status === 404 ? [] : (Objects.parse(page.body).result ?? []).map(({ key }) => key)
    if (keys.length === 0) return
    for (const key of keys) await ask(objectPath(bucket, key), { method: 'DELETE', also: [404] })
  }
}
