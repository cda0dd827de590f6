import { defineConfig } from 'drizzle-kit'

// Paths are relative to the root of the repository, from which drizzle-kit is run.
export default defineConfig({ dialect: 'postgresql', schema: './worker/db/schema', out: './migrations', casing: 'snake_case' })
