import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePicture } from './images.ts'
import { readImageDomains, readPicture } from './picture-source.ts'

let folder: string
let server: Server

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cairn-content-'))
  const picture = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#246' } })
    .png()
    .toBuffer()
  await writeFile(path.join(folder, 'beside.png'), picture)
  server = createServer(({ url = '' }, response) => {
    if (url === '/page') response.setHeader('content-type', 'text/html').end('<p>')
    else if (url === '/moved.png') response.writeHead(302, { location: '/snow.png' }).end()
    else if (url === '/gone.png') response.writeHead(404).end()
    else response.setHeader('content-type', 'image/png').end(picture)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

const host = () => `127.0.0.1:${(server.address() as AddressInfo).port}`

const FROM = { page: 'blog/snow.md' }

test('A picture of an allowed domain is fetched by the build, which serves a copy of its own', async () => {
  await writeFile(path.join(folder, 'image-domains'), `# Ours\n${host()} # the archive\n`)
  const domains = await readImageDomains(folder)
  expect(domains).toEqual([host()])
  const source = await readPicture(`http://${host()}/first%20snow.png?size=large`, { ...FROM, folder, domains })
  const files = new Map<string, Uint8Array>()
  const { src } = await makePicture(source, files)
  expect(src).toMatch(/^\/assets\/content\/first-20snow-[0-9a-f]{8}-800\.webp$/)
  expect(files.has(src)).toBe(true)
})

test('A picture beside its page needs no allowed domain', async () => {
  expect(await readPicture('../beside.png', { ...FROM, folder, domains: [] })).toMatchObject({ title: 'beside' })
  expect(await readImageDomains(path.join(folder, 'nowhere'))).toEqual([])
})

test.each([
  'http://HOST/snow.png',
  '//HOST/snow.png',
  'http://elsewhere.example/snow.png',
  'data:image/png;base64,AAAA',
  'file:///etc/hosts',
])('The build refuses a picture at %s if its domain is not allowed', async (address) => {
  const read = readPicture(address.replace('HOST', host()), { ...FROM, folder, domains: ['files.example'] })
  await expect(read).rejects.toThrow('whose domain is not in content/image-domains')
})

test.each([
  ['/gone.png', 'which cannot be fetched (404)'],
  ['/moved.png', 'which cannot be fetched'],
  ['/page', 'which is not a picture'],
])('The build refuses %s of an allowed domain with a reason', async (address, reason) => {
  const read = readPicture(`http://${host()}${address}`, { ...FROM, folder, domains: [host()] })
  await expect(read).rejects.toThrow(reason)
})
