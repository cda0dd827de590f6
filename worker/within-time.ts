/** What `work` resolves to. Throws `late()` if that takes more than this time. */
export async function withinTime<T>(work: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(late()), Math.max(0, milliseconds))
  try {
    return await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
