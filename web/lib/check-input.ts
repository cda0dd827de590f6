import type { z } from '../../contract/zod.ts'
import { ApiError } from './api.ts'

/** Parses input as the server will, before it enters the mutation queue. Throws the same error as the server, field by field. */
export function checkInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const fields: Record<string, string> = {}
  for (const { path, message } of parsed.error.issues) fields[path.join('.')] ??= message
  throw new ApiError('invalid', Object.values(fields)[0] ?? 'Check what you wrote', { status: 400, fields })
}
