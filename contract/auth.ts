import { t } from '#say'
import { endpoint, Success } from './endpoint.ts'
import { GuardOptions } from './guard.ts'
import { UserId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { Email, optionalLine } from './text.ts'
import { FIRST_NAME, LAST_NAME } from './text-words.ts'
import { Profile } from './users.ts'
import { z } from './zod.ts'

export const SessionUser = z.object({
  id: UserId,
  email: z.string(),
  firstName: z.string().nullable().optional(),
  lastName: z.string().nullable().optional(),
  emailVerified: z.boolean(),
})
export type SessionUser = z.infer<typeof SessionUser>

/**
 * Header of calls by the web app: the id of the user on whose behalf it calls. If the cookie is of another user, who has signed in meanwhile in
 * the same browser, the response is a 401 with this header, and the call has no effect.
 */
export const CALLER_HEADER = 'cairn-user'

export const NewPassword = z
  .string()
  .min(1, { error: () => t`Enter a password` })
  .min(LIMITS.passwordMin)
  .max(LIMITS.passwordMax)

/** One that the user has already. */
export const Password = z
  .string()
  .min(1, { error: () => t`Enter your password` })
  .max(LIMITS.passwordMax)

export const SignUp = z.strictObject({
  email: Email,
  password: NewPassword,
  firstName: optionalLine(LIMITS.profileName, FIRST_NAME).optional(),
  lastName: optionalLine(LIMITS.profileName, LAST_NAME).optional(),
})
export type SignUp = z.infer<typeof SignUp>

export const SignIn = z.strictObject({
  email: Email,
  password: Password,
})
export type SignIn = z.infer<typeof SignIn>

export const AuthFeatures = z.object({ password: z.boolean(), social: z.array(z.string()), reset: z.boolean() })
export type AuthFeatures = z.infer<typeof AuthFeatures>

export const authConfig = endpoint({
  method: 'GET',
  path: '/api/auth/config',
  public: true,
  summary: 'Ways to sign in, and the pages that need no session',
  response: Success.extend({ features: AuthFeatures, guard: GuardOptions }),
})
export const signUp = endpoint({
  method: 'POST',
  path: '/api/auth/sign-up',
  public: true,
  summary: 'Register',
  creates: true,
  body: SignUp,
  response: Success.extend({ user: SessionUser.optional(), verify: z.literal(true).optional() }),
})
export const signIn = endpoint({
  method: 'POST',
  path: '/api/auth/sign-in',
  public: true,
  summary: 'Sign in',
  body: SignIn,
  response: Success.extend({ user: SessionUser }),
})
/** After the end of a session. `url` is the page of the sign-in service that ends its own session too, where it has one. */
export const SignedOut = Success.extend({ url: z.url().optional() })

export const signOut = endpoint({
  method: 'POST',
  path: '/api/auth/sign-out',
  public: true,
  summary: 'Sign out. `url` is the page of the sign-in service that ends its own session too, where it has one',
  response: SignedOut,
})
export const getSession = endpoint({
  method: 'GET',
  path: '/api/auth/session',
  public: true,
  summary: 'Who is signed in',
  response: Success.extend({
    user: SessionUser.nullable(),
    expiresAt: z.string().nullable(),
    /** Of the user, so that a browser that keeps it sees what was changed elsewhere. */
    profile: Profile.optional(),
  }),
})
export const refreshSession = endpoint({
  method: 'POST',
  path: '/api/auth/refresh',
  public: true,
  summary: 'Renew the session',
  response: Success.extend({ expiresAt: z.string() }),
})
export const sendVerification = endpoint({
  method: 'POST',
  path: '/api/auth/send-verification',
  summary: 'Send the link that confirms your e-mail address again',
  sessionOnly: true,
  response: Success,
})
/** Redirects to the sign-in service's own pages. `provider` is one of the `social` features, `returnTo` a path of the app. */
export const socialSignIn = endpoint({
  method: 'GET',
  path: '/api/auth/social/{provider}',
  public: true,
  summary: 'Sign in on the pages of a sign-in service',
  query: z.object({ returnTo: z.string().optional() }),
  responseType: 'redirect',
  response: z.undefined(),
})
/** Redirect URI for the service. Redirects to `returnTo`, or to the sign-in page with the reason as `?failed=`. */
export const signInCallback = endpoint({
  method: 'GET',
  path: '/api/auth/callback',
  public: true,
  summary: 'Come back from the pages of a sign-in service',
  query: z.object({ code: z.string(), state: z.string(), iss: z.string(), error: z.string() }).partial(),
  responseType: 'redirect',
  response: z.undefined(),
})
