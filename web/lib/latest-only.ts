interface RequestGuard {
  /** Whether no later request has been answered. */
  isCurrent: () => boolean
  /** The same; also drops the responses of earlier requests from now on. */
  accept: () => boolean
}

/** Responses may overtake each other: one that arrives after the response to a later request is dropped. */
export function latestOnly() {
  let lastId = 0
  let acceptedId = 0
  return {
    /** Call before each request. */
    begin(): RequestGuard {
      const requestId = ++lastId
      const isCurrent = () => requestId >= acceptedId
      return {
        isCurrent,
        accept() {
          if (!isCurrent()) return false
          acceptedId = requestId
          return true
        },
      }
    },
    /** Drops the responses to all requests so far. */
    dropAll(): void {
      acceptedId = ++lastId
    },
  }
}

/** For lists that the user changes: the answer to an earlier request may lack a change, and is asked for again. */
export function unlessChanged() {
  let changes = 0
  return {
    /** Call after each change. */
    changed(): void {
      changes++
    },
    async ask<T>(request: () => Promise<T>): Promise<T> {
      for (;;) {
        const before = changes
        const answer = await request()
        if (changes === before) return answer
      }
    },
  }
}
