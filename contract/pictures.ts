import { endpoint } from './endpoint.ts'
import { z } from './zod.ts'

/** The only call outside of /api. Its modifiers are in `images.ts`, which pages load without zod. */
export const getPicture = endpoint({
  method: 'GET',
  path: '/_image/{modifiers}/{id}',
  guests: true,
  summary: 'The picture of an asset in another size or format',
  responseType: 'image/*',
  fileOptions: ['v'],
  conditionalHeaders: ['if-none-match'],
  response: z.file(),
})
