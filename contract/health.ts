import { endpoint, Success } from './endpoint.ts'
import { z } from './zod.ts'

export const getHealth = endpoint({
  method: 'GET',
  path: '/api/health',
  public: true,
  summary: 'Whether the service works',
  response: Success.extend({ version: z.string(), database: z.literal('ok'), storage: z.literal('ok') }),
})
