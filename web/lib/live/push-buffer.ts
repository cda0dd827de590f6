/** Milliseconds between messages: a room accepts at most 5 messages a second per socket; this leaves room for a heartbeat. */
const PACE = 250

/**
 * Messages that wait for an open connection, sent one by one and no faster than the room allows. A full buffer drops the oldest: newer
 * ones describe the current state better. `send` returns whether the message was sent.
 */
export function createPushBuffer(size: number, send: (text: string) => boolean) {
  let waiting: string[] = []
  let timer: ReturnType<typeof setTimeout> | null = null

  function flush() {
    const [first] = waiting
    if (timer || first === undefined || !send(first)) return
    waiting.shift()
    timer = setTimeout(() => {
      timer = null
      flush()
    }, PACE)
  }
  return {
    push(text: string) {
      waiting = [...waiting, text].slice(-size)
      flush()
    },
    /** Call when the connection is open again. */
    flush,
    /** Call when the waiting messages are out of date. */
    clear() {
      waiting = []
    },
    size: () => waiting.length,
  }
}
