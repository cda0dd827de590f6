import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { Client } from '../../dev/http-client.ts'
import { type Stack, startStack } from '../../dev/stack.ts'
import { PASSWORD } from '../support/world.ts'

const PREVIEW_KEY = randomBytes(32).toString('base64')
const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

let preview: Stack
let anyone: Client
beforeAll(async () => {
  preview = await startStack({ worker: WORKER_BUNDLE, assets: false, vars: { PREVIEW_KEY } })
  anyone = new Client(preview.origin)
})
afterAll(() => preview?.stop())

/** Runs the minute's task with this key. */
const minute = (key: string) => fetch(`${preview.origin}/_preview/minute`, { method: 'POST', ...bearer(key) })

test("A call with the key of a preview runs the minute's task", async () => {
  await anyone.post('/api/auth/sign-up', { email: 'ada@example.org', password: PASSWORD })
  const { post } = (await anyone.post('/api/post', { type: 'note', title: 'Old' })).body
  await anyone.delete(`/api/post/${post.id}`)
  await preview.sql`update posts set deleted_at = now() - interval '30 days 1 minute' where id = ${post.id}`

  const answer = await minute(PREVIEW_KEY)
  expect([answer.status, await answer.json()]).toEqual([200, { success: true }])
  expect(await preview.sql`select id from posts where id = ${post.id}`).toEqual([])
})

test('The calls of a preview refuse a missing and a wrong key', async () => {
  const missing = await fetch(`${preview.origin}/_preview/minute`, { method: 'POST' })
  expect(missing.status).toBe(401)
  expect((await minute(randomBytes(32).toString('base64'))).status).toBe(401)
  expect((await fetch(`${preview.origin}/_preview/mails`, bearer('hush'))).status).toBe(401)
})

test('A preview shows the invitations it would have mailed, newest first, and mails no one', async () => {
  const bob = new Client(preview.origin)
  await bob.post('/api/auth/sign-up', { email: 'bob@example.org', password: PASSWORD, firstName: 'Bob', lastName: 'Test' })
  await preview.sql`update auth."user" set "emailVerified" = true where email = 'bob@example.org'`
  const { collection } = (await bob.post('/api/collections', { name: 'Kyoto' })).body
  const mails = async () => {
    const { mails } = (await (await fetch(`${preview.origin}/_preview/mails`, bearer(PREVIEW_KEY))).json()) as {
      mails: { to: string; subject: string }[]
    }
    return mails.filter(({ subject }) => subject.includes('invited'))
  }
  for (const [nth, email] of ['eve@example.org', 'kim@example.org'].entries()) {
    expect((await bob.post(`/api/collections/${collection.id}/invites/invite`, { email, role: 'read' })).status).toBe(200)
    await expect.poll(mails).toHaveLength(nth + 1)
  }
  expect(await mails()).toMatchObject([{ to: 'kim@example.org', subject: expect.stringMatching(/invited/) }, { to: 'eve@example.org' }])
  expect(await preview.mailCatcher.list('kim@example.org')).toEqual([])
})

test('A site without the key of a preview has none of its calls', async () => {
  const site = await startStack({ worker: WORKER_BUNDLE, assets: false })
  try {
    for (const [method, path] of [
      ['POST', 'minute'],
      ['GET', 'mails'],
    ]) {
      const answer = await fetch(`${site.origin}/_preview/${path}`, { method: method ?? '', ...bearer(PREVIEW_KEY) })
      expect(answer.status).toBe(404)
    }
  } finally {
    await site.stop()
  }
})
