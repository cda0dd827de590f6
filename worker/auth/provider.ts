import type { AuthFeatures } from '../../contract/auth.ts'

/** Content of the sealed session cookie, which the browser cannot read. */
export interface Session {
  /** JWT signed by the provider; empty if `claims` identify the user. */
  accessToken: string
  /** Time of the next refresh, in milliseconds since 1970. */
  expiresAt: number
  /** Sent to the provider to refresh the session, in a form of its own. Unique per session. */
  credential: string
  /** The claims at the last refresh, for a provider whose access tokens cannot be read by the app. */
  claims?: Claims | undefined
  /** Time of the last sign-in or re-authentication, in milliseconds since 1970. */
  provenAt?: number | undefined
  /** Of its row in the database. Sessions that come from the provider have none yet; a cookie without one is not accepted. */
  id?: string | undefined
}

/** Claims of a verified access token, or of the provider. */
export interface Claims {
  id: string
  email: string
  emailVerified: boolean
  name: string | null
}

export interface NewAccount {
  email: string
  password: string
  name: string
}

/** Account calls of a service that keeps passwords. `session` is the caller's. */
export interface AccountService {
  /** Ends all other sessions. Returns the new session, or null if the password is wrong. */
  changePassword(session: Session, current: string, next: string): Promise<Session | null>
  /** Mails a link to the new address. */
  changeEmail(session: Session, email: string, asked: string): Promise<void>
  endOtherSessions(session: Session): Promise<void>
  /** Ends all sessions as well. */
  deleteAccount(session: Session): Promise<void>
}

/** Sign-in on the service's own pages: the URL for the browser, and data to keep until it returns. */
interface Redirection {
  url: string
  /** Identifies this attempt; the browser returns with it. */
  state: string
  memory: string
}

/**
 * The sign-in service. Every call throws AppError `unavailable` if the service does not answer. Null or false always mean a definite refusal
 * by the service, so that an outage cannot end a session.
 */
export interface AuthProvider {
  readonly features: AuthFeatures
  /**
   * `agent` is the browser's User-Agent. 'verify': the address must be confirmed before the first sign-in. 'exists': the address has an account, and no
   * mail was sent. In this and the other calls that send a mail, `asked` is added to the link in it, beside the service's own token.
   */
  signUp(account: NewAccount, asked: string, agent?: string): Promise<Session | 'verify' | 'exists'>
  /** 'unconfirmed': the password is right, but the address must be confirmed before the first sign-in. */
  signIn(email: string, password: string, agent?: string): Promise<Session | 'unconfirmed' | null>
  refresh(session: Session): Promise<Session | null>
  /** Ends the session at the service. Returns the URL of its sign-out page, if it has one. */
  signOut(session: Session): Promise<string | undefined>
  verify(session: Session): Promise<Claims | null>
  requestReset(email: string, asked: string): Promise<void>
  /** False if the link has been used or has expired. */
  resetPassword(token: string, newPassword: string): Promise<boolean>
  /** Without a session, for an account that cannot have one before its address is confirmed. */
  sendVerification(session: Session | null, email: string, asked: string): Promise<void>
  /** False if the token is invalid or has expired. */
  verifyEmail(token: string): Promise<boolean>
  /** Undefined if accounts are managed on the service's own pages. */
  readonly account?: AccountService
  /** `way` is one of `features.social`. */
  begin?(way: string): Promise<Redirection>
  /** `answer` is the query of the redirect back. 'cancelled': the user or the service stopped the sign-in. */
  finish?(answer: URLSearchParams, memory: string): Promise<Session | 'cancelled' | 'refused'>
}
