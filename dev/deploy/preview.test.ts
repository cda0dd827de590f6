import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkPreviews } from './check-previews.ts'
import type { Cloud } from './cloud.ts'
import { type CloudPeer, startCloudPeer } from './cloud-peer.ts'
import { closePreview, openPreview, type Preview, previewConfig } from './preview.ts'
import { callsOf } from './preview-calls.ts'
import { previewName } from './preview-name.ts'

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

const previewOf = (branch: string, more: Partial<Preview> = {}): Preview => {
  const build = async () => {}
  const migrate = async () => {}
  return { ...{ name: previewName(branch), cloud, wrangler, build, migrate, log: () => {} }, ...more }
}

test('A preview has its own database, sign-in, bucket and rooms, and closing it deletes them', async () => {
  const migrated: string[] = []
  const preview = previewOf('Feature/login page!', { migrate: async (url: string) => void migrated.push(url) })
  const { name } = preview
  const bucket = `cairn-preview-${name}`
  address = `Preview URL: https://${name}-cairn.acme.workers.dev`
  const { origin } = await openPreview(preview)
  expect(origin).toBe(`https://${name}-cairn.acme.workers.dev`)
  expect(peer.state.branches).toMatchObject([{ name, trusted: [origin] }])
  expect(migrated).toEqual(['postgresql://u:p@br-1.neon.tech/neondb'])
  expect(commands).toEqual([`r2 bucket info ${bucket}`, `r2 bucket create ${bucket}`, `preview --config --name ${name} --secrets-file`])

  await openPreview(preview)
  expect(peer.state.branches).toHaveLength(1)

  commands.length = 0
  peer.state.objects[bucket] = { 'assets/1/original': {}, 'sweep/comparison': {} }
  await closePreview(preview)
  expect(peer.state).toMatchObject({ branches: [], objects: { [bucket]: {} } })
  expect(peer.state.objects[bucket]).toEqual({})
  expect(commands).toEqual([`preview delete --name ${name} --skip-confirmation`, `r2 bucket delete ${bucket}`])
})

test('A preview without an address is refused, since sign-in would not work', async () => {
  address = 'Note: This Preview deployment has no active URLs.'
  await expect(openPreview(previewOf('b'))).rejects.toThrow('or none, so nobody can sign in')
})

test.each([
  ['neon', 'Neon refuses NEON_API_KEY'],
  ['cloudflare', 'Cloudflare refuses CLOUDFLARE_API_TOKEN'],
] as const)('A token that %s refuses fails before anything is built or made, and says where to get one', async (refused, message) => {
  peer.state.refused = refused
  let built = false
  const preview = previewOf('b', { build: async () => (built = true) })
  await expect(openPreview(preview)).rejects.toThrow(message)
  expect({ built, commands, branches: peer.state.branches }).toEqual({ built: false, commands: [], branches: [] })
})

test('Without a network a preview fails before anything is built, and names the host', async () => {
  let built = false
  const gone = {
    ...cloud,
    neon: { ...cloud.neon, url: 'http://127.0.0.1:9' },
    cloudflare: { ...cloud.cloudflare, url: 'http://127.0.0.1:9' },
  }
  const preview = previewOf('b', { cloud: gone, build: async () => (built = true) })
  await expect(openPreview(preview)).rejects.toThrow(/^127\.0\.0\.1:9 cannot be reached \(.+\): check the network/)
  expect(built).toBe(false)
})

test('A preview that fails half-way says how to complete and how to remove it', async () => {
  const preview = previewOf('b', { migrate: () => Promise.reject(Object.assign(new Error('no'), { code: '28P01' })) })
  await expect(openPreview(preview)).rejects.toThrow(
    new RegExp(
      `refuses the password of u: .*run the same command again, or remove it with "npm run preview -- close --name ${preview.name}"`,
      's',
    ),
  )
})

test('The check names previews whose branch is gone, by their parts, and removes nothing', async () => {
  const [kept, gone, half] = ['feature/a', 'feature/b', 'feature/c'].map(previewName)
  peer.state.branches = [{ id: 'br-0', name: 'production' }, ...[kept, gone].map((name = '') => ({ id: name, name }))]
  peer.state.buckets = ['cairn-files', `cairn-preview-${kept}`, `cairn-preview-${gone}`, `cairn-preview-${half}`]
  peer.state.previews = { [kept ?? '']: { secrets: {}, buckets: [] } }
  const before = structuredClone({ branches: peer.state.branches, buckets: peer.state.buckets, previews: peer.state.previews })
  const said: string[] = []
  await expect(checkPreviews(cloud, ['main', 'feature/a'], (line) => said.push(line))).rejects.toThrow('2 previews are left over.')
  expect(said).toEqual([
    expect.stringContaining(`✗ ${gone} (database, bucket): its branch is gone. "npm run preview -- close --name ${gone}"`),
    expect.stringContaining(`✗ ${half} (bucket)`),
  ])
  expect(peer.state).toMatchObject(before)
  await checkPreviews(cloud, ['feature/a', 'feature/b', 'feature/c'], (line) => said.push(line))
  expect(said.at(-1)).toBe('✓ every preview has its branch')
})

test("The calls with a preview's key are printed on a terminal only", () => {
  const opened = { origin: 'https://a-1.example', key: 'hush' }
  expect(callsOf(opened, true).join()).toContain('"authorization: Bearer hush" https://a-1.example/_preview/minute')
  expect(callsOf(opened, false).join()).not.toContain('hush')
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
