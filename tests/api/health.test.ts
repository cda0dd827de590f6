import { expect, inject, test } from 'vitest'
import { getHealth } from '../../contract/health.ts'
import { Client } from '../../dev/http-client.ts'
import { version } from '../../package.json'

test('Health reports status and release without a session', async () => {
  const anyone = new Client(inject('stack').origin)
  const { status, body } = await anyone.get('/api/health')
  expect([status, getHealth.response.parse(body)]).toEqual([200, body])
  expect(body.version.split('+')[0]).toBe(version)
  expect((await anyone.get('/api/openapi.json')).body.info.version).toBe(body.version)
})
