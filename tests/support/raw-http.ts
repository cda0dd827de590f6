import { connect } from 'node:net'

export interface RawAnswer {
  status: number
  text: string
  /** Milliseconds until the first line of the answer. */
  took: number
}

/**
 * Sends a raw request that fetch would refuse: `head` without the last empty line, then pieces of the body. The connection stays open for
 * `timeout` milliseconds. Status 0 if the server closed it without an answer.
 */
export function sendRaw(origin: string, head: string[], pieces: (string | Uint8Array)[] = [], timeout = 20_000): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(origin)
  return new Promise((resolve) => {
    const begin = performance.now()
    let text = ''
    const socket = connect(Number(port), hostname)
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ status: Number(text.match(/^HTTP\/1\.1 (\d{3})/)?.[1] ?? 0), text, took: performance.now() - begin })
    }
    const timer = setTimeout(end, timeout)
    socket.once('connect', () => {
      const [first = '', ...others] = head
      socket.write(`${[first, `Host: ${host}`, ...others].join('\r\n')}\r\n\r\n`)
      for (const piece of pieces) socket.write(piece)
    })
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1')
      if (text.includes('\r\n\r\n')) end()
    })
    socket.once('error', end).once('close', end)
  })
}
