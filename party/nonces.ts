type Storage = Pick<DurableObjectStorage, 'get' | 'put' | 'list' | 'delete'>

const PREFIX = 'nonce:'

/** Remembers what was used once until it is worthless, so that it is not used again. */
export class Nonces {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** False when it was used before. `until` in milliseconds. */
  async use(nonce: string, until: number): Promise<boolean> {
    if ((await this.#storage.get(PREFIX + nonce)) !== undefined) return false
    await this.#storage.put(PREFIX + nonce, until)
    return true
  }

  /** Forgets what is worthless by now; when there will be more to forget, null where nothing is left. */
  async forget(now: number): Promise<number | null> {
    const used = [...(await this.#storage.list<number>({ prefix: PREFIX }))]
    const worthless = used.filter(([, until]) => until <= now).map(([key]) => key)
    // The platform deletes at most so many at once.
    for (let from = 0; from < worthless.length; from += 128) await this.#storage.delete(worthless.slice(from, from + 128))
    return used.length > worthless.length ? Math.min(...used.map(([, until]) => until).filter((until) => until > now)) : null
  }
}
