import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { buildWorker } from '../../dev/build-worker.ts'
import { freePort, HOST } from '../../dev/ports.ts'
import { startPartyKit } from './partykit-host.ts'
import { startTestStack } from './test-stack.ts'

/**
 * Runs the tests of rooms again, with the rooms on a PartyKit host instead of in the worker. Needs its own stack, since a worker has only
 * one kind of rooms.
 */
export default async function setup(project: TestProject) {
  const port = await freePort()
  const secret = () => randomBytes(32).toString('base64')
  const keys = { LIVE_KEY: secret(), PARTY_PUBLISH_KEY: secret() }
  const vars = { ...keys, PARTY_HOST: `http://${HOST}:${port}` }
  const [rooms, stack] = await Promise.all([startPartyKit(port, keys), startTestStack({ worker: buildWorker(), assets: false, vars })])
  project.provide('stack', stack.address)
  return async () => {
    await stack.stop()
    await rooms.stop()
  }
}
