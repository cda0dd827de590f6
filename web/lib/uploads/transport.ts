import { t } from '#say'
import { completeUpload, createAsset, deleteAsset, getUpload, putPart, putRendition } from '../../../contract/assets.ts'
import { CALLER_HEADER } from '../../../contract/auth.ts'
import { Failure } from '../../../contract/errors.ts'
import { beginFilm, completeFilm, discardFilm, getFilmUpload, putFilmPart } from '../../../contract/films.ts'
import type { z } from '../../../contract/zod.ts'
import { ApiError, call, callingAs, notifySignedOut, urlOf } from '../api.ts'
import { jsonOf } from '../json.ts'
import { FileGone, isReadable } from './bytes.ts'
import { fillIn } from './fill-in.ts'
import { NoFilm } from './film-maker.ts'
import { NotLoaded } from './not-loaded.ts'
import { assetFields } from './overrides.ts'
import type { UploadFailure } from './retries.ts'
import type { SendOptions, Sent, UploadItem, UploadTransport } from './types.ts'

/** The API calls in the form the queue expects. */
export const uploadTransport: UploadTransport = {
  async begin(item, meta, signal) {
    const { id, name, size, collectionId } = item
    const body = { ...(await assetFields(meta, item.given)), id, name, size, collectionIds: [collectionId] }
    const { upload, ...begun } = await call(createAsset, { body, signal })
    if (begun.duplicate || begun.asset.status === 'ready') return { state: 'ready', ...(await arrived(begun, { ...item, meta }, signal)) }
    return upload ? { state: 'open', ...upload, received: [] } : this.resume(item.id, signal)
  },
  async resume(id, signal) {
    const { partSize, parts, received } = await call(getUpload, { params: { id }, signal })
    return { state: 'open', partSize, parts, received }
  },
  async sendWhole(item, { meta, file, renditions }, options) {
    const { id, name, collectionId } = item
    const form = new FormData()
    form.append('asset', JSON.stringify({ ...(await assetFields(meta, item.given)), id, name, collectionIds: [collectionId] }))
    for (const [rendition, bytes] of Object.entries(renditions)) if (bytes) form.append(rendition, bytes)
    form.append('file', file)
    const answer = createAsset.response.safeParse(jsonOf(await send('POST', createAsset.path, form, options)))
    if (!answer.success) throw new ApiError('unreadable', t`The answer could not be read. Reload the page to get the newest version.`)
    return arrived(answer.data, { ...item, meta }, options.signal)
  },
  putPart: (id, part, bytes, options) => put(urlOf(putPart.path, { params: { id, part } }), bytes, options),
  putRendition: (id, rendition, bytes, signal) => put(urlOf(putRendition.path, { params: { id, rendition } }), bytes, { signal }),
  async complete(item, signal) {
    return arrived(await call(completeUpload, { params: { id: item.id }, signal }), item, signal)
  },
  async fillIn(asset, item, signal) {
    return (await fillIn(asset, item, signal)).asset
  },
  async sendFilm(id, film, made, { signal, onSent }) {
    const params = { id }
    const { partSize, parts, complete } = await call(beginFilm, { params, body: made, signal })
    const received = new Set(complete ? [] : (await call(getFilmUpload, { params, signal })).received)
    for (let part = 1; part <= parts && !complete; part++) {
      const [from, to] = [(part - 1) * partSize, Math.min(part * partSize, film.size)]
      const onProgress = (loaded: number) => onSent(from + Math.min(loaded, to - from))
      if (!received.has(part)) await put(urlOf(putFilmPart.path, { params: { id, part } }), film.slice(from, to), { signal, onProgress })
      onSent(to)
    }
    return (await call(completeFilm, { params, signal })).asset
  },
  async discard(id) {
    await call(deleteAsset, { params: { id } })
  },
  async discardFilm(id) {
    await call(discardFilm, { params: { id } })
  },
}

type Arrived = z.output<typeof completeUpload.response>

/** An existing file gains what is given and it lacks (fill-in.ts). One that exists only in other collections is new to this one. */
async function arrived({ asset, duplicate, linked }: Omit<Arrived, 'success'>, item: UploadItem, signal: AbortSignal): Promise<Sent> {
  const isNew = duplicate !== true || linked?.includes(item.collectionId) === true
  if (!duplicate || !item.meta || !item.given) return { asset, duplicate: !isNew }
  const { asset: whole, filled } = await fillIn(asset, item, signal)
  return { asset: whole, duplicate: !isNew, completed: filled }
}

/** Converts any error of a step. Errors of the browser itself mean that the file could not be read. */
export function failureOf(error: unknown): UploadFailure {
  if (error instanceof ApiError) {
    const field = Object.values(error.fields)[0]
    return { code: error.code, message: field ?? error.message, retryAfter: error.retryAfter ?? null }
  }
  if (error instanceof NoFilm) return { code: 'no-film', message: error.message, retryAfter: null }
  if (error instanceof NotLoaded) {
    if (!navigator.onLine) return { code: 'offline', message: '', retryAfter: null }
    // Another version of Cairn has replaced the files of this one.
    const message = t`What reads this kind of file could not be loaded. Reload the page, then try again.`
    return { code: 'unloaded', message, retryAfter: null }
  }
  const message = error instanceof FileGone ? error.message : t`The file could not be read. Add it again.`
  return { code: 'unreadable', message, retryAfter: null }
}

/** Milliseconds without progress after which a request is aborted; long enough for slow connections. */
const STALLED = 60_000

const put = async (url: string, bytes: Blob, options: SendOptions) => void (await send('PUT', url, bytes, options))

/** XMLHttpRequest, because fetch does not report upload progress. Returns the body of the response. */
function send(method: string, url: string, body: Blob | FormData, { signal, onProgress, onUploaded }: SendOptions): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const request = new XMLHttpRequest()
  const offline = () => reject(new ApiError('offline', t`No connection. Check the network and try again.`))
  let timer: ReturnType<typeof setTimeout>
  const watch = () => {
    clearTimeout(timer)
    timer = setTimeout(() => request.abort(), STALLED)
  }
  const abort = () => request.abort()
  request.open(method, url)
  request.setRequestHeader('accept', 'application/json')
  // The browser gives a form its type, with the boundary.
  if (body instanceof Blob) request.setRequestHeader('content-type', body.type || 'application/octet-stream')
  const caller = callingAs()
  if (caller !== null) request.setRequestHeader(CALLER_HEADER, caller)
  request.upload.onprogress = (event) => {
    watch()
    onProgress?.(event.loaded)
  }
  request.upload.onload = () => onUploaded?.()
  request.onload = () => (request.status >= 200 && request.status < 300 ? resolve(request.responseText) : reject(errorOf(request)))
  // The browser tells a lost connection and a lost file alike.
  request.onerror = async () => {
    const sent = body instanceof Blob ? [body] : [...body.values()].filter((value) => value instanceof Blob)
    if ((await Promise.all(sent.map(isReadable))).every(Boolean)) offline()
    else reject(new FileGone())
  }
  request.onabort = () => (signal.aborted ? reject(signal.reason) : offline())
  if (signal.aborted) return Promise.reject(signal.reason)
  signal.addEventListener('abort', abort)
  watch()
  request.send(body)
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  })
}

function errorOf(request: XMLHttpRequest): ApiError {
  if (request.status === 401) notifySignedOut(request.getResponseHeader(CALLER_HEADER) !== null)
  const details = { status: request.status, retryAfter: Number(request.getResponseHeader('retry-after')) || undefined }
  const failure = Failure.safeParse(jsonOf(request.responseText))
  if (failure.success)
    return new ApiError(failure.data.error.code, failure.data.error.message, { ...details, fields: failure.data.error.fields })
  if (request.status === 413) return new ApiError('too_large', t`This is too large to send.`, details)
  return new ApiError(request.status >= 502 ? 'unavailable' : 'internal', t`Something went wrong on the server.`, details)
}
