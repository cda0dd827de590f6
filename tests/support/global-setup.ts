import type { TestProject } from 'vitest/node'
import { buildWeb } from '../../dev/build-web.ts'
import { buildWorker } from '../../dev/build-worker.ts'
import { startTestStack } from './test-stack.ts'

/** The projects api, alone, party, e2e and screens share one stack. Each loads this file separately, so the stack is stored on the process. */
const shared = globalThis as typeof globalThis & { cairnStack?: Promise<Shared>; cairnStackUsers?: number }
type Shared = Awaited<ReturnType<typeof startTestStack>>

export default async function setup(project: TestProject) {
  shared.cairnStackUsers = (shared.cairnStackUsers ?? 0) + 1
  const withWeb = project.vitest.projects.some(({ name }) => ['alone', 'e2e', 'screens'].includes(name))
  shared.cairnStack ??= startTestStack({ worker: buildWorker(), assets: withWeb && buildWeb().then(({ folder }) => folder) })
  project.provide('stack', (await shared.cairnStack).address)
  return async () => {
    shared.cairnStackUsers = (shared.cairnStackUsers ?? 1) - 1
    if (shared.cairnStackUsers === 0) await (await shared.cairnStack)?.stop()
  }
}
