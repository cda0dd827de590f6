import { connect, createServer, type Socket } from 'node:net'
import { HOST } from '../../dev/ports.ts'

/** A line from a browser to a server: everything on it, WebSockets included, takes half of `roundTrip` milliseconds each way. */
export interface SlowLine {
  roundTrip: number
  close(): Promise<void>
}

/** Listens on `port` and passes on to `target`, another port of this machine. */
export async function openSlowLine(port: number, target: number): Promise<SlowLine> {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (browser) => {
    const site = connect({ host: HOST, port: target, noDelay: true })
    for (const [from, to] of [
      [browser, site],
      [site, browser],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => later(() => to.write(bytes)))
      from.on('end', () => later(() => to.end()))
      from.on('error', () => to.destroy())
      from.on('close', () => sockets.delete(from))
    }
  })
  // Timers of one length end in the order in which they began.
  const later = (act: () => void) => setTimeout(act, line.roundTrip / 2)
  const line: SlowLine = {
    roundTrip: 0,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, HOST, resolve))
  return line
}
