import { endpoint } from './endpoint.ts'
import { z } from './zod.ts'

/** The one call outside of /api. What its address may say is in `images.ts`, which the pages load without zod. */
export const getPicture = endpoint({
  method: 'GET',
  path: '/_image/{modifiers}/{id}',
  summary: 'The picture of an asset in another size or format',
  answers: 'image/*',
  knows: ['if-none-match'],
  response: z.file(),
})
