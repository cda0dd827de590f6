import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Cloud, emptyBucket, openBranch, removeBranch, workersSubdomain } from './cloud.ts'
import { type CloudPeer, startCloudPeer } from './cloud-peer.ts'

let peer: CloudPeer
let cloud: Cloud
/** Milliseconds of each wait; no time passes. */
let waits: number[]

beforeEach(async () => {
  waits = []
  peer = await startCloudPeer()
  const wait = async (ms: number) => void waits.push(ms)
  cloud = { neon: { url: peer.url, key: 'n', project: 'p' }, cloudflare: { url: peer.url, token: 't', account: 'a' }, wait }
})
afterEach(() => peer.stop())

const open = () => openBranch(cloud, 'a-1', 'https://a-1.example')

test('Calls wait while a branch is still being created', async () => {
  await open()
  expect(peer.state.branches).toMatchObject([{ name: 'a-1', trusted: ['https://a-1.example'] }])
  expect(peer.state.webhooks).toMatchObject({ enabled: true, webhook_url: 'https://a-1.example/_hooks/sign-in' })
  await removeBranch(cloud, 'a-1')
  expect(peer.state.branches).toEqual([])
  // Sign-in, its address, its webhooks and the end were each refused twice.
  expect(waits).toEqual([1000, 2000, 1000, 2000, 1000, 2000, 1000, 2000])
})

test('A branch that stays locked fails after a minute, with the call in the message', async () => {
  peer.state.locked = 100
  await expect(open()).rejects.toThrow('POST /projects/p/branches was answered with 423')
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(60_000)
})

test('A temporary failure is retried if a repetition does no harm', async () => {
  await open()
  peer.state.failing = ['GET', 'DELETE']
  await removeBranch(cloud, 'a-1')
  expect(peer.state.branches).toEqual([])
  peer.state.failing = ['POST']
  await expect(open()).rejects.toThrow('503')
})

test('A rate-limited bucket is emptied after the requested wait', async () => {
  peer.state.objects = { 'cairn-preview-a-1': { 'assets/1/original': {}, 'assets/2/original': {} }, 'cairn-files': { kept: {} } }
  peer.state.limited = 1
  await emptyBucket(cloud, 'cairn-preview-a-1')
  expect(peer.state.objects).toEqual({ 'cairn-preview-a-1': {}, 'cairn-files': { kept: {} } })
  expect(waits).toEqual([300_000])
})

test('A rate-limited call is retried even if a repetition could do harm, since it had no effect', async () => {
  peer.state.limited = 2
  await open()
  expect(peer.state.branches).toHaveLength(1)
})

test('An account without a workers.dev subdomain gets an error that says where to choose one', async () => {
  expect(await workersSubdomain(cloud)).toBe('acme')
  peer.state.subdomain = undefined
  await expect(workersSubdomain(cloud)).rejects.toThrow('Workers & Pages')
})
