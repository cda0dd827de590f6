import { endpoint } from './endpoint.ts'
import { z } from './zod.ts'

/** A streamed ZIP with the originals and all data of the collection (`contract/archive.ts`). */
export const exportCollection = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/export',
  summary: 'Everything in a collection as a ZIP',
  responseType: 'application/zip',
  response: z.file(),
})
