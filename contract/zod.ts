import { z } from 'zod'
import { choices, sentenceOf } from './sentences.ts'

// Zod tests whether `new Function` is permitted, to compile schemas. The content security policy forbids it, and browsers report each
// attempt. Set here, before the first schema is created.
z.config({ jitless: true, customError: sentenceOf })

/** One of these, and nothing else: a missing value is reported as a wrong one. */
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) => z.enum(values, { error: () => choices(values) })

export { z }
