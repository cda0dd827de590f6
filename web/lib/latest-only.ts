interface RequestGuard {
  /** No later request has been answered. */
  isCurrent: () => boolean
  /** The same; from now on the answers of earlier requests are dropped. */
  accept: () => boolean
}

/** Answers may overtake each other: one that comes after the answer of a later request is dropped. */
export function latestOnly() {
  let lastId = 0
  let acceptedId = 0
  return {
    /** Before each request. */
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
    /** Drops the answers of all requests so far. */
    dropAll(): void {
      acceptedId = ++lastId
    },
  }
}
