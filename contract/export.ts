import { endpoint } from './endpoint.ts'
import { z } from './zod.ts'

/** A ZIP with the originals and all that belongs to them, written while it is sent. `contract/archive.ts` says what is in it. */
export const exportCollection = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/export',
  summary: 'Everything in a collection as a ZIP',
  answers: 'application/zip',
  response: z.file(),
})
