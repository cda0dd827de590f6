import { z } from 'zod'

// Zod compiles schemas with `new Function` where it may, and finds out by trying. The content security policy forbids it, and
// browsers report each try. Set here, before the first schema is made.
z.config({ jitless: true })

export { z }
