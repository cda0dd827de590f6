import { digest } from '../../contract/bytes.ts'
import type { Db } from '../db/client.ts'
import { unavailable } from '../http/errors.ts'
import { type Claim, claimRefresh, closeRefresh, endRefresh, findRefresh, finishRefresh, type RefreshRow } from '../queries/refreshes.ts'
import type { Session } from './provider.ts'
import { type SessionKey, seal } from './sealed.ts'
import { unsealSession } from './session-cookie.ts'

/** Seconds until another takes over from a claimer that says nothing: longer than a call to the service and writing it down. */
const CLAIM_SECONDS = 10
/** Milliseconds between two looks at somebody else's refresh, and until a request gives up waiting. */
const POLL_INTERVAL = 150
const WAIT_TIMEOUT = 25_000
/** A result that has less than this left, in milliseconds, is itself refreshed: it lay here for long. */
const MIN_LIFETIME = 60_000
/** Steps from a credential to the newest one that came of it. */
const MAX_CHAIN = 10

/** What the service does with a session. */
export interface Upstream {
  /** A new session, or null where the service refuses. */
  ask(session: Session): Promise<Session | null>
  /** Makes its credential useless. */
  revoke(session: Session): Promise<void>
}

/**
 * Refreshes with credentials that are good once. Requests of one browser come at the same moment and to different isolates, so
 * the first takes a row in the database, named by a hash of its credential, asks the service, and leaves the new session there,
 * sealed; the others wait for it. It stays there for a day: a browser whose answer got lost comes back with the old one.
 */
export class SharedRefresh {
  readonly #db: Db
  readonly #keys: readonly SessionKey[]

  constructor(db: Db, keys: readonly SessionKey[]) {
    this.#db = db
    this.#keys = keys
  }

  /** Null where the service refused. Throws `unavailable` where it did not answer whoever asked it. */
  async refresh(given: Session, upstream: Upstream): Promise<Session | null> {
    let session: Session | null = given
    for (let step = 0; session && step < MAX_CHAIN; step++) {
      session = await this.#once(session, upstream)
      if (session && session.expiresAt - Date.now() > MIN_LIFETIME) return session
    }
    return null
  }

  /** Ends the credential and all that came of it. Gives the sessions that the service has to be told of. */
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
      if (row?.state === 'failed' || Date.now() > deadline)
        throw unavailable('The sign-in service', new Error('Another request’s refresh failed'))
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
      // Where this is not written down either, the claim runs out by itself.
      await closeRefresh(this.#db, claim, 'failed').catch(() => {})
      throw error
    }
  }

  /** A new credential is never lost for a database that stumbles: this request hands it to the browser in any case. */
  async #finish(key: string, fresh: Session, upstream: Upstream): Promise<Session | null> {
    const sealed = await seal(fresh, this.#keys)
    const stored = await finishRefresh(this.#db, key, sealed)
      .catch(() => finishRefresh(this.#db, key, sealed))
      .catch(() => true)
    if (stored) return fresh
    const row = await findRefresh(this.#db, key)
    if (row?.state === 'done') return this.#open(row.sealed)
    // The person signed out meanwhile.
    await upstream.revoke(fresh).catch(() => {})
    return null
  }

  async #open(sealed: string | null): Promise<Session | null> {
    return (await unsealSession(sealed ?? '', this.#keys))?.session ?? null
  }
}

/** A hash, so that no credential stands in the database. The expiry is part of it: a service that does not rotate gives the same credential again. */
function keyOf({ credential, expiresAt }: Session): Promise<string> {
  return digest(`${expiresAt}:${credential}`)
}
