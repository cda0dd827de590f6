import { buildWorker } from '../../dev/build-worker.ts'

/** Builds the worker once for tests that start it themselves. */
export default async function setup() {
  await buildWorker()
}
