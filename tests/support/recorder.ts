import { createServer, type IncomingMessage, request as send } from 'node:http'
import { connect, type Socket } from 'node:net'
import { freePort, HOST } from '../../dev/ports.ts'

/** One answer: its head, and its bytes as the browser gets them, but never compressed. Of a socket, everything that came through it. */
interface Received {
  what: string
  chunks: Buffer[]
  ended: boolean
}

/** Words and numbers that nobody but its owner may get, under the name by which a failure tells of them. */
export type Secrets = Record<string, (bytes: Buffer) => boolean>

/**
 * Everything that one browser receives, kept by a proxy in front of it: pages, calls, redirects, files and live messages, also those that no page waits for.
 * `proxy` is an option of a browser context.
 */
export class Recorder {
  readonly #received: Received[] = []
  #port = 0

  get proxy() {
    return { server: `http://${HOST}:${this.#port}` }
  }

  /** `GET /api/post: the place` for each answer with one of the secrets, of those that have come since the last call. */
  leaks(secrets: Secrets): string[] {
    const found = this.#received.flatMap(({ what, chunks }) => {
      const bytes = Buffer.concat(chunks)
      return Object.entries(secrets).flatMap(([name, isIn]) => (isIn(bytes) ? [`${what}: ${name}`] : []))
    })
    const going = this.#received.filter(({ ended }) => !ended)
    this.#received.splice(0, Number.POSITIVE_INFINITY, ...going)
    return found
  }

  async start(): Promise<() => void> {
    this.#port = await freePort()
    const sockets = new Set<Socket>()
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '')
      const received = this.#begin(`${request.method} ${pathname}`)
      const headers = { ...request.headers, 'accept-encoding': 'identity' }
      const call = send(request.url ?? '', { method: request.method ?? 'GET', headers }, (answer: IncomingMessage) => {
        received.chunks.push(Buffer.from(`${answer.rawHeaders.join('\n')}\n\n`))
        // The files of the app are the same for everyone.
        if (!pathname.startsWith('/assets/')) answer.on('data', (chunk: Buffer) => received.chunks.push(chunk))
        answer.on('close', () => end(received))
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(response)
      })
      call.on('error', () => response.destroy())
      response.on('close', () => call.destroy())
      request.pipe(call)
    })
    // Live rooms.
    server.on('connect', (request, browser: Socket) => {
      const { hostname, port } = new URL(`http://${request.url}`)
      const received = this.#begin('live room')
      const room = connect(Number(port), hostname, () => browser.write('HTTP/1.1 200 Connection established\r\n\r\n'))
      browser.once('data', (head: Buffer) => {
        room.write(head.toString('latin1').replace(/^sec-websocket-extensions:.*\r\n/im, ''), 'latin1')
        browser.pipe(room)
      })
      room.on('data', (chunk: Buffer) => received.chunks.push(chunk)).on('close', () => end(received))
      room.pipe(browser)
      for (const [one, other] of [
        [room, browser],
        [browser, room],
      ] as const)
        one.on('error', () => other.destroy()).on('close', () => other.destroy())
      sockets.add(room).add(browser)
    })
    await new Promise<void>((resolve) => server.listen(this.#port, HOST, resolve))
    return () => {
      server.close()
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
    }
  }

  #begin(what: string): Received {
    const received = { what, chunks: [], ended: false }
    this.#received.push(received)
    return received
  }
}

const end = (received: Received) => {
  received.ended = true
}

/** Whether some text is in bytes, in any way in which answers write it. */
export function text(words: string): (bytes: Buffer) => boolean {
  const hex = (digits: number, before: string, after = '') =>
    [...words]
      .map((one) => (one.charCodeAt(0) < 128 ? one : before + one.charCodeAt(0).toString(16).padStart(digits, '0') + after))
      .join('')
  const written = [
    words,
    encodeURIComponent(words),
    hex(4, '\\u'),
    hex(1, '&#x', ';'),
    words.replace(/[^ -~]/g, (one) => `&#${one.charCodeAt(0)};`),
  ]
  const wide = Buffer.from(words, 'utf16le')
  const forms = [
    ...written.map((form) => Buffer.from(form)),
    Buffer.from(words, 'latin1'),
    wide,
    Buffer.from(wide).swap16(),
    ...[0, 1, 2].flatMap((before) => base64(Buffer.concat([Buffer.alloc(before), Buffer.from(words)]), before)),
  ]
  return (bytes) => forms.some((form) => bytes.includes(form))
}

/** The digits that are the same whatever comes before and after: `before` bytes stand for those in front. */
function base64(bytes: Buffer, before: number): Buffer[] {
  const start = [0, 2, 3][before] ?? 0
  const whole = bytes.toString('base64').slice(start, Math.floor((bytes.length * 8) / 6))
  return [Buffer.from(whole), Buffer.from(whole.replaceAll('+', '-').replaceAll('/', '_'))]
}

/** Whether a coordinate is in bytes: from two decimals on, in text, in millionths, or as a float. */
export function degrees(value: number): (bytes: Buffer) => boolean {
  const digits = Math.abs(value).toFixed(6)
  const [whole = '', decimals = ''] = digits.split('.')
  const rounded = Math.abs(value).toFixed(2).split('.')[1]
  // Not the seconds of a time, nor a part of an id or of a longer number.
  const number = new RegExp(
    `(?<![\\w.-]|\\d:)-?${whole}((\\.|%2E)(${decimals.slice(0, 2)}|${rounded})|${decimals.slice(0, 4)}\\d{0,3}(?!\\w))`,
    'i',
  )
  const floats = (['DoubleLE', 'DoubleBE', 'FloatLE', 'FloatBE'] as const).map((kind) => floatOf(kind, value))
  return (bytes) => number.test(bytes.toString('latin1')) || floats.some((form) => bytes.includes(form))
}

function floatOf(kind: 'DoubleLE' | 'DoubleBE' | 'FloatLE' | 'FloatBE', value: number): Buffer {
  const bytes = Buffer.alloc(kind.startsWith('Double') ? 8 : 4)
  bytes[`write${kind}`](value)
  return bytes
}
