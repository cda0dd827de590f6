import { defineConfig } from 'drizzle-kit'

// Paths are relative to the root of the repository, where drizzle-kit is started.
export default defineConfig({ dialect: 'postgresql', schema: './worker/db/schema.ts', out: './migrations', casing: 'snake_case' })
