import { digest } from '../../contract/bytes.ts'
import type { Db } from '../db/client.ts'
import { type Claim, claimRefresh, closeRefresh, endRefresh, findRefresh, finishRefresh, type RefreshRow } from '../queries/refreshes.ts'
import type { Session } from './provider.ts'
import { type SessionKey, seal } from './sealed.ts'
import { unsealSession } from './session-cookie.ts'
import { signInUnavailable } from './upstream.ts'

/** Seconds until another request may take over; longer than a call to the service and storing its result. */
const CLAIM_SECONDS = 10
/** Milliseconds between two looks at another request's refresh, and until a waiting request gives up. */
const POLL_INTERVAL = 150
const WAIT_TIMEOUT = 25_000
/** A stored session that expires in less than this, in milliseconds, is refreshed again. */
const MIN_LIFETIME = 60_000
/** Maximum number of refreshes from a credential to the newest one derived from it. */
const MAX_CHAIN = 10

export interface Upstream {
  /** Returns a new session, or null if the service refuses. */
  ask(session: Session): Promise<Session | null>
  /** Invalidates the credential. */
  revoke(session: Session): Promise<void>
}

/**
 * Refreshes sessions whose credential can be used only once. Concurrent requests of one browser may run in different isolates, so the first
 * claims a row in the database, whose key is a hash of the credential, calls the service, and stores the new session there, sealed. The
 * others wait for it. The row is kept for a day, because a browser that did not receive the response sends the old credential again.
 */
export class SharedRefresh {
  readonly #db: Db
  readonly #keys: readonly SessionKey[]

  constructor(db: Db, keys: readonly SessionKey[]) {
    this.#db = db
    this.#keys = keys
  }

  /** Null if the service refuses. Throws `unavailable` if it does not answer, also when another request called it. */
  async refresh(given: Session, upstream: Upstream): Promise<Session | null> {
    let session: Session | null = given
    for (let step = 0; session && step < MAX_CHAIN; step++) {
      session = await this.#once(session, upstream)
      if (session && session.expiresAt - Date.now() > MIN_LIFETIME) return session
    }
    return null
  }

  /** Ends the credential and all that were derived from it. Returns the sessions to revoke at the service. */
  async end(given: Session): Promise<Session[]> {
    const ended: Session[] = [given]
    for (let session: Session | undefined = given; session && ended.length < MAX_CHAIN; ) {
      const sealed = await endRefresh(this.#db, await keyOf(session))
      session = sealed === null ? undefined : (await unsealSession(sealed, this.#keys))?.session
      if (session) ended.push(session)
    }
    return ended
  }

  async #once(session: Session, upstream: Upstream): Promise<Session | null> {
    const claim: Claim = { key: await keyOf(session), claim: crypto.randomUUID() }
    const deadline = Date.now() + WAIT_TIMEOUT
    let row: RefreshRow | null = await claimRefresh(this.#db, claim, CLAIM_SECONDS)
    while (!row?.mine) {
      if (row?.state === 'done') return this.#open(row.sealed)
      if (row?.state === 'refused' || row?.state === 'ended') return null
      if (row?.state === 'failed' || Date.now() > deadline) throw signInUnavailable(new Error('Another request’s refresh failed'))
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL))
      row = row?.lapsed ? await claimRefresh(this.#db, claim, CLAIM_SECONDS) : await findRefresh(this.#db, claim.key)
    }
    return this.#lead(claim, session, upstream)
  }

  async #lead(claim: Claim, session: Session, upstream: Upstream): Promise<Session | null> {
    try {
      const fresh = await upstream.ask(session)
      if (fresh) return await this.#finish(claim.key, fresh, upstream)
      await closeRefresh(this.#db, claim, 'refused')
      return null
    } catch (error) {
      // If this write fails too, the claim expires.
      await closeRefresh(this.#db, claim, 'failed').catch(() => {})
      throw error
    }
  }

  /** If the database fails, this request still returns the new session, so that the credential is not lost. */
  async #finish(key: string, fresh: Session, upstream: Upstream): Promise<Session | null> {
    const sealed = await seal(fresh, this.#keys)
    const stored = await finishRefresh(this.#db, key, sealed)
      .catch(() => finishRefresh(this.#db, key, sealed))
      .catch(() => true)
    if (stored) return fresh
    const row = await findRefresh(this.#db, key)
    if (row?.state === 'done') return this.#open(row.sealed)
    // The user signed out meanwhile.
    await upstream.revoke(fresh).catch(() => {})
    return null
  }

  async #open(sealed: string | null): Promise<Session | null> {
    return (await unsealSession(sealed ?? '', this.#keys))?.session ?? null
  }
}

/** A hash, so that the database has no credentials. It includes the expiry, because a service that does not rotate returns the same credential. */
function keyOf({ credential, expiresAt }: Session): Promise<string> {
  return digest(`${expiresAt}:${credential}`)
}
