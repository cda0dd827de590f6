import { z } from './zod.ts'

/** Patterns of paths; `*` matches anything. A visitor may open what one of the four matches, and has to sign in for the rest of the app. */
export const GuardOptions = z.object({
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  /** Where visitors are redirected. */
  login: z.string(),
  /** Where sign-in services redirect back to. */
  callback: z.string(),
})
export type GuardOptions = z.infer<typeof GuardOptions>

/** The access guard of this build. The app has it before any answer and offline; GET /api/auth/config reports it. */
export const GUARD: GuardOptions = {
  /** Home and the blog are for everyone. */
  include: ['/', '/blog', '/blog/*'],
  exclude: ['/register', '/forgot-password', '/reset-password', '/verify-email'],
  login: '/login',
  callback: '/api/auth/callback',
}
