import { t } from '#say'
import { LIMITS } from './limits.ts'
import { z } from './zod.ts'

/** What a client says of a file before it sends it: bytes, and SHA-256 in lower-case hex. */
export const DECLARED_FILE = {
  size: z
    .number()
    .int()
    .min(1, { error: () => t`The file is empty` })
    .max(LIMITS.fileSize, { error: () => t`A file may have at most 5 GiB` }),
  checksum: z.string().regex(/^[0-9a-f]{64}$/, { error: () => t`Send the SHA-256 of the file in lower-case hex` }),
}
