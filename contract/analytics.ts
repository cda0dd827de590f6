import { endpoint, Success } from './endpoint.ts'
import { z } from './zod.ts'

/** A project's public token and the origin of the analytics service. */
export const AnalyticsConfig = z.object({ key: z.string(), host: z.url() })
export type AnalyticsConfig = z.infer<typeof AnalyticsConfig>

export const getAnalyticsConfig = endpoint({
  method: 'GET',
  path: '/api/analytics/config',
  public: true,
  summary: 'Whether and where this site counts what is used',
  response: Success.extend({ analytics: AnalyticsConfig.nullable() }),
})
