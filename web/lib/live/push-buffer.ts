/** A room hears at most 5 messages a second of each socket (contract §6); this leaves room for a heartbeat. */
const PACE = 250

/**
 * Messages that wait for an open line, sent one by one and no faster than the room allows. When it is full the oldest goes:
 * newer ones say more about now. `send` tells whether the message went out.
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
    /** The line is open again. */
    flush,
    /** Nothing of what waits is true any more. */
    clear() {
      waiting = []
    },
    size: () => waiting.length,
  }
}
