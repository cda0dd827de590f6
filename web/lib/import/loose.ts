import { z } from '../../../contract/zod.ts'

/** A field that may be missing, null or of another kind than expected: then it is undefined, and the rest of its object is kept. */
export function maybe<T extends z.ZodType>(schema: T) {
  return z
    .unknown()
    .optional()
    .transform((given): z.output<T> | undefined => schema.safeParse(given).data)
}

/** A list, without the entries that cannot be read; empty if it is missing, null or no list. */
export function listOf<T extends z.ZodType>(schema: T) {
  return z
    .unknown()
    .optional()
    .transform((given): z.output<T>[] => {
      const rows: unknown[] = Array.isArray(given) ? given : []
      return rows.flatMap((row) => {
        const { success, data } = schema.safeParse(row)
        return success ? [data] : []
      })
    })
}
