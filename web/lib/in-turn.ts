/**
 * Runs one piece of work at a time, in the order of the calls, whether those before succeed or fail. After one that never settles, such as a call of a
 * user who has signed out (api.ts), nothing runs any more: make another.
 */
export function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
