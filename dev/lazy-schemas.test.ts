import path from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { CALLS, type Call } from '../contract/routes.ts'
import { lazySchemas } from './lazy-schemas.ts'
import { PROJECT } from './state-folder.ts'

/** By the names of calls. */
const documentsOf = (calls: Call[]) =>
  Object.fromEntries(
    calls.map(({ name, endpoint: { query, body, response } }) => [
      name,
      [query, body, response].map((schema) => schema && z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' })),
    ]),
  )

/** The contract as the browser has it. */
async function browsersContract() {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [lazySchemas()],
    ssr: { noExternal: true },
    build: { ssr: path.join(PROJECT, 'contract/routes.ts'), write: false, target: 'esnext' },
  })
  const [chunk] = 'output' in built ? built.output : []
  const code = chunk?.code ?? ''
  return { code, contract: await import(`data:text/javascript,${encodeURIComponent(code)}`) }
}

test('schemas that are made late say the same as those made at once, and an endpoint makes its own once', async () => {
  const { code, contract } = await browsersContract()
  expect(code).toMatch(/get response\(\)/)
  expect(documentsOf(contract.CALLS)).toEqual(documentsOf(CALLS))
  for (const { endpoint } of contract.CALLS) expect(endpoint.response).toBe(endpoint.response)
}, 60_000)
