import { t } from '#say'
import { newId } from '../../../contract/ids.ts'
import { sha256 } from '../hash.ts'
import { sleep } from '../scheduling.ts'

// The calls of a guest's page, without the app's own (web/lib/api.ts), which bring its whole contract.

/** Seconds to wait before the next attempts at a request that found no connection or no server. */
const DELAYS = [1, 4, 15]

/** Seconds. A longer wait counts as a failure. */
const MAX_WAIT = 60

/** The server does not take it. `status` as in HTTP. */
export class Refused extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** The name under which the guest adds something. */
export async function introduce(secret: string, name: string): Promise<void> {
  await ask('POST', `/api/links/${secret}/enter`, { name })
}

/** Ids of files whose sending broke off, so that it goes on when they are chosen again. */
const begunIds = new Map<string, string>()

/**
 * Sends one file, in parts if it is large. A file that was sent before is found by its bytes. `say` gets the share that has been sent. Throws Refused, and
 * other errors without a connection.
 */
export async function sendFile(file: File, link: string, say: (share: number) => void): Promise<void> {
  const key = `${file.name} ${file.size} ${file.lastModified}`
  const id = begunIds.get(key) ?? newId()
  begunIds.set(key, id)
  const send = () => sendAs(id, file, { link, say })
  // Begun anew by another tab, or swept meanwhile.
  await send().catch((error: unknown) => (error instanceof Refused && error.status === 409 ? send() : Promise.reject(error)))
}

async function sendAs(id: string, file: File, { link, say }: { link: string; say: (share: number) => void }): Promise<void> {
  const path = (rest = '') => `/api/asset${rest}?link=${link}`
  const asset = { id, name: file.name, type: file.type || 'application/octet-stream', size: file.size, checksum: await sha256(file) }
  const begun = await ask('POST', path(), asset)
  // Sent before.
  if (!begun.upload) return
  const { partSize, parts } = begun.upload
  const { received = [] } = await ask('GET', path(`/${id}/upload`))
  for (let part = 1; part <= parts; part++) {
    if (!received.includes(part)) await ask('PUT', path(`/${id}/parts/${part}`), file.slice((part - 1) * partSize, part * partSize))
    say(part / parts)
  }
  await ask('POST', path(`/${id}/complete`))
}

/** The parts of answers that the script reads. */
interface Answer {
  upload?: { partSize: number; parts: number }
  received?: number[]
  error?: { message: string }
}

/** Throws Refused with the reason of the server, after some attempts if that may pass. */
async function ask(method: string, path: string, body?: object | Blob): Promise<Answer> {
  for (const delay of [...DELAYS, null]) {
    const response = await request(method, path, body)
    const wait = Number(response?.headers.get('retry-after')) || (delay ?? 0)
    const passes = !response || ((response.status === 429 || response.status >= 500) && wait <= MAX_WAIT)
    if (response && (!passes || delay === null)) {
      const answer: Answer = await response.json().catch(() => ({}))
      if (response.ok) return answer
      throw new Refused(answer.error?.message ?? t`Something went wrong on the server`, response.status)
    }
    if (delay === null) break
    await sleep(wait * 1000)
  }
  throw new Error('No answer')
}

/** Null without a connection. */
function request(method: string, path: string, body?: object | Blob): Promise<Response | null> {
  const raw = body instanceof Blob
  const headers = body === undefined ? {} : { 'content-type': raw ? 'application/octet-stream' : 'application/json' }
  const sent = body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }
  return fetch(path, { method, headers, ...sent }).catch(() => null)
}
