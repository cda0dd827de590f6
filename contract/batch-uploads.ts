import { plural, t } from '#say'
import { BegunUpload, NewAsset } from './assets.ts'
import { endpoint, Success } from './endpoint.ts'
import { Refusal } from './errors.ts'
import { LIMITS } from './limits.ts'
import { z } from './zod.ts'

/**
 * For programs that send many large files, and to learn which of them are here already. One result per file, in order. A file that is refused changes
 * nothing for the others, unless not all of them fit, or are too many for now: then none is begun.
 */
export const createAssets = endpoint({
  method: 'POST',
  path: '/api/asset/batch',
  summary: 'Begin several uploads',
  body: z.strictObject({
    assets: z
      .array(NewAsset)
      .min(1, { error: () => t`Send at least one file` })
      .max(LIMITS.uploadsPerCall, {
        error: () =>
          t`${plural({ count: LIMITS.uploadsPerCall }, { one: 'Begin at most # upload at once', other: 'Begin at most # uploads at once' })}`,
      }),
  }),
  response: Success.extend({ results: z.array(z.union([BegunUpload, z.object({ error: Refusal })])) }),
})
