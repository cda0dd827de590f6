type Storage = Pick<DurableObjectStorage, 'get' | 'put' | 'list' | 'delete'>

const PREFIX = 'nonce:'

/** Stores used nonces until they expire, so that none is used twice. */
export class Nonces {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** False if it was used before. `until`: expiry in milliseconds. */
  async use(nonce: string, until: number): Promise<boolean> {
    if ((await this.#storage.get(PREFIX + nonce)) !== undefined) return false
    await this.#storage.put(PREFIX + nonce, until)
    return true
  }

  /** Deletes expired nonces. Returns the time of the next expiry, or null if none are left. */
  async forget(now: number): Promise<number | null> {
    const used = [...(await this.#storage.list<number>({ prefix: PREFIX }))]
    const expired = used.filter(([, until]) => until <= now).map(([key]) => key)
    // The platform deletes at most 128 keys per call.
    for (let from = 0; from < expired.length; from += 128) await this.#storage.delete(expired.slice(from, from + 128))
    return used.length > expired.length ? Math.min(...used.map(([, until]) => until).filter((until) => until > now)) : null
  }
}
