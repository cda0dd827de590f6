import { LIMITS } from '../../../contract/limits.ts'
import type { Begun, PreparedMeta, Renditions, Sent, UploadItem, UploadTransport } from './types.ts'

export interface Sending {
  item: UploadItem
  meta: PreparedMeta
  file: Blob
  renditions: Renditions
  /** These bytes are among the assets on the screen, so that asking first may save sending them. */
  known: boolean
  signal: AbortSignal
  onBegun: () => void
  /** Bytes of the file that the server has, or that are being sent. */
  onSent: (bytes: number) => void
  onFinishing: () => void
}

/** Sends one prepared file in one request if it is small, else its missing parts. */
export async function sendFile(transport: UploadTransport, sending: Sending): Promise<Sent> {
  if (sending.file.size > LIMITS.partSize || sending.known) return sendParts(transport, sending)
  try {
    return await sendWhole(transport, sending)
  } catch (error) {
    // Only a rendition may be bad, which does not stop a file in parts. An older server refuses all files in one request.
    if (!refused(error)) throw error
    return sendParts(transport, sending)
  }
}

function sendWhole(transport: UploadTransport, sending: Sending): Promise<Sent> {
  const { item, meta, file, renditions, signal, onSent, onFinishing } = sending
  // From now on the server may have it, so that cancelling discards it there.
  sending.onBegun()
  // The bytes of an earlier attempt are not there.
  onSent(0)
  const onProgress = (loaded: number) => onSent(Math.min(loaded, file.size))
  return transport.sendWhole(item, { meta, file, renditions }, { signal, onProgress, onUploaded: onFinishing })
}

async function sendParts(transport: UploadTransport, sending: Sending): Promise<Sent> {
  const begun = await open(transport, sending)
  if (begun.state === 'ready') return begun
  sending.onBegun()
  try {
    return await fill(transport, sending, begun)
  } catch (error) {
    if (codeOf(error) === 'conflict') return resumeOnce(transport, sending)
    if (!mismatched(error)) throw error
    // The received bytes differ from the file: all of it is sent again.
    return fill(transport, sending, { ...begun, received: [] })
  }
}

/** Another request of this upload has come in between, such as one whose answer was lost: the server is asked what it has. */
async function resumeOnce(transport: UploadTransport, sending: Sending): Promise<Sent> {
  const begun = await open(transport, { ...sending, item: { ...sending.item, begun: true } })
  return begun.state === 'ready' ? begun : fill(transport, sending, begun)
}

async function open(transport: UploadTransport, { item, meta, signal }: Sending): Promise<Begun> {
  if (!item.begun) return transport.begin(item, meta, signal)
  try {
    return await transport.resume(item.id, signal)
  } catch (error) {
    // Swept after a week, never arrived or already complete: begins again, which is idempotent. That call reports a lack of permission.
    if (!['not_found', 'gone', 'conflict'].includes(codeOf(error) ?? '')) throw error
    return transport.begin({ ...item, begun: false }, meta, signal)
  }
}

async function fill(transport: UploadTransport, sending: Sending, begun: Extract<Begun, { state: 'open' }>) {
  const { item, file, renditions, signal } = sending
  const { partSize, parts } = begun
  const received = new Set(begun.received)
  const sizeOf = (part: number) => Math.min(partSize, file.size - (part - 1) * partSize)
  let sent = [...received.values()].reduce((sum, part) => sum + sizeOf(part), 0)
  for (let part = 1; part <= parts; part++) {
    if (received.has(part)) continue
    const bytes = file.slice((part - 1) * partSize, part * partSize)
    await transport.putPart(item.id, part, bytes, { signal, onProgress: (loaded) => sending.onSent(sent + Math.min(loaded, bytes.size)) })
    sent += bytes.size
    sending.onSent(sent)
  }
  sending.onFinishing()
  await sendRenditions(transport, item.id, renditions, signal)
  return transport.complete(item, signal)
}

/** The server can make renditions itself, so a refused one does not stop the file. */
async function sendRenditions(transport: UploadTransport, id: string, { thumb, preview }: Renditions, signal: AbortSignal) {
  for (const [name, bytes] of [['thumb', thumb] as const, ['preview', preview] as const]) {
    if (!bytes) continue
    await transport.putRendition(id, name, bytes, signal).catch((error: unknown) => {
      if (!refused(error)) throw error
    })
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

function mismatched(error: unknown): boolean {
  return codeOf(error) === 'invalid'
}

function refused(error: unknown): boolean {
  return ['invalid', 'too_large', 'unsupported_media'].includes(codeOf(error) ?? '')
}
