import { endpoint } from './endpoint.ts'
import { z } from './zod.ts'

/** The generated OpenAPI 3.1 document, without `success`, because tools read it as it is. */
export const getOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  public: true,
  summary: 'This description, for tools',
  conditionalHeaders: ['if-none-match'],
  response: z.looseObject({ openapi: z.string(), info: z.looseObject({ title: z.string() }), paths: z.record(z.string(), z.unknown()) }),
})
export const getDocs = endpoint({
  method: 'GET',
  path: '/api/docs',
  public: true,
  summary: 'This description, for people',
  responseType: 'text/html',
  conditionalHeaders: ['if-none-match'],
  response: z.file(),
})
