import { z } from 'zod'
import { sentenceOf } from './sentences.ts'

// Zod tests whether `new Function` is permitted, to compile schemas. The content security policy forbids it, and browsers report each
// attempt. Set here, before the first schema is created.
z.config({ jitless: true, customError: sentenceOf })

export { z }
