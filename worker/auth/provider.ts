import type { AuthFeatures } from '../../contract/auth.ts'

/** What the sealed cookie holds. The browser never sees inside. */
export interface Session {
  /** JWT that the provider signed; empty where `claims` say who it is. */
  accessToken: string
  /** When the provider has to be asked again, in milliseconds since 1970. */
  expiresAt: number
  /** What a new access token is asked for with: its form is the provider's own. Never the same for two sessions. */
  credential: string
  /** What the provider said when it was last asked, for a provider whose access tokens say nothing to us. */
  claims?: Claims | undefined
  /** When its person last proved who they are, in milliseconds since 1970. */
  provenAt?: number | undefined
}

/** What a verified access token, or the provider itself, says of a person. */
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

/** A session as the service lists it. */
export interface ServiceSession {
  id: string
  /** Names the session to the service. Nobody else learns it. */
  token: string
  agent: string | null
  createdAt: string
  usedAt: string
  current: boolean
}

/** What a service that keeps passwords does for an account. `session` is the caller's. */
export interface AccountService {
  /** The session that goes on, all others having ended; null where the password is wrong. */
  changePassword(session: Session, current: string, next: string): Promise<Session | null>
  /** Mails a link to the new address. */
  changeEmail(session: Session, email: string): Promise<void>
  /** 'stale': the service tells it only to who signed in lately. */
  listSessions(session: Session): Promise<ServiceSession[] | 'stale'>
  endSession(session: Session, token: string): Promise<void>
  endOtherSessions(session: Session): Promise<void>
  /** With all sessions. */
  deleteAccount(session: Session): Promise<void>
}

/** Sign-in on the service's own pages: where to send the browser, and what to remember until it is back. */
interface Redirection {
  url: string
  /** Comes back with the browser and names this attempt. */
  state: string
  memory: string
}

/**
 * The sign-in service. Every call throws AppError `unavailable` where the service does not answer; a null or false
 * is always the service's own, definite refusal, so that an outage can never sign anybody out.
 */
export interface AuthProvider {
  readonly features: AuthFeatures
  /** `agent`, what the browser calls itself, is shown to the person in their list of devices. 'verify': the address must be confirmed before the first sign-in. 'exists': the address has an account. */
  signUp(account: NewAccount, agent?: string): Promise<Session | 'verify' | 'exists'>
  signIn(email: string, password: string, agent?: string): Promise<Session | null>
  refresh(session: Session): Promise<Session | null>
  /** Ends the session at the service. Gives the page where the browser ends the service's own session, if there is one. */
  signOut(session: Session): Promise<string | undefined>
  verify(session: Session): Promise<Claims | null>
  /** `account` comes back in the link, beside the service's own token. */
  requestReset(email: string, account: string): Promise<void>
  /** False where the link is used up or too old. */
  resetPassword(token: string, newPassword: string): Promise<boolean>
  sendVerification(session: Session, email: string): Promise<void>
  /** False where the link is not, or no longer, good. */
  verifyEmail(token: string): Promise<boolean>
  /** Missing where accounts are looked after at the service's own pages. */
  readonly account?: AccountService
  /** `way` is one of `features.social`. */
  begin?(way: string): Promise<Redirection>
  /** `answer` is what the browser brought back. 'cancelled': the person, or the service, chose not to go on. */
  finish?(answer: URLSearchParams, memory: string): Promise<Session | 'cancelled' | 'refused'>
}
