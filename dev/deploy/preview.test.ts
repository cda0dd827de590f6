import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Cloud } from './cloud.ts'
import { type CloudPeer, startCloudPeer } from './cloud-peer.ts'
import { closePreview, openPreview, previewConfig, previewName } from './preview.ts'

let peer: CloudPeer
let cloud: Cloud

const commands: string[] = []
const wrangler = async (args: string[]) => {
  commands.push(args.filter((arg) => !arg.startsWith('/')).join(' '))
  const uploads = args[0] === 'preview' && args[1] === '--config'
  return { ok: !args.includes('info'), output: uploads ? address : '' }
}
/** Address of the preview, as printed by wrangler. */
let address = ''

beforeEach(async () => {
  commands.length = 0
  peer = await startCloudPeer()
  const wait = async () => {}
  cloud = { neon: { url: peer.url, key: 'n', project: 'p' }, cloudflare: { url: peer.url, token: 't', account: 'a' }, wait }
})
afterEach(() => peer.stop())

test('A preview has its own database, sign-in, bucket and rooms, and closing it deletes them', async () => {
  const migrated: string[] = []
  const migrate = async (url: string) => void migrated.push(url)
  const preview = { branch: 'Feature/login page!', cloud, wrangler, migrate, build: async () => {}, log: () => {} }
  const name = previewName(preview.branch)
  address = `Preview URL: https://${name}-cairn.acme.workers.dev`
  const origin = await openPreview(preview)
  expect(origin).toBe(`https://${name}-cairn.acme.workers.dev`)
  expect(peer.state.trusted).toEqual([origin])
  expect(migrated).toEqual(['postgresql://u:p@br-1.neon.tech/neondb'])
  expect(commands).toEqual([
    `r2 bucket info cairn-preview-${name}`,
    `r2 bucket create cairn-preview-${name}`,
    `preview --config --name ${name} --secrets-file`,
  ])

  await openPreview(preview)
  expect(peer.state.branches).toHaveLength(1)

  commands.length = 0
  peer.state.objects = ['assets/1/original', 'sweep/comparison']
  await closePreview(preview)
  expect(peer.state).toMatchObject({ branches: [], objects: [] })
  expect(commands).toEqual([`preview delete --name ${name} --skip-confirmation`, `r2 bucket delete cairn-preview-${name}`])
})

test('A preview without an address is refused, since sign-in would not work', async () => {
  address = 'Note: This Preview deployment has no active URLs.'
  const preview = { branch: 'b', cloud, wrangler, migrate: async () => {}, build: async () => {}, log: () => {} }
  await expect(openPreview(preview)).rejects.toThrow('or none, so nobody can sign in')
})

test('Preview names fit into a host name and differ for different branches', () => {
  const branches = ['main', 'Main', 'feature/a_b', 'feature/a-b', 'ä', 'ö', `x${'y'.repeat(200)}`, `x${'y'.repeat(201)}`]
  const names = branches.map(previewName)
  expect(new Set(names).size).toBe(branches.length)
  for (const name of names) expect(`${name}-cairn`).toMatch(/^[a-z][a-z0-9-]{0,61}[a-z0-9]$/)
})

test('A preview shares only bindings without data with the real site', () => {
  const config = { name: 'cairn', vars: { AUTH_PROVIDER: 'better-auth' }, r2_buckets: [{ binding: 'FILES', bucket_name: 'cairn-files' }] }
  expect(JSON.stringify(previewConfig(config, 'a-1')).match(/"previews":.*/)?.[0]).not.toContain('cairn-files')
})
