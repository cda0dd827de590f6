import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { z } from 'zod'
import { joinBytes } from '../contract/bytes.ts'
import { LIMITS } from '../contract/limits.ts'
import { escapeHtml } from '../contract/text.ts'
import type { Delivered, DeliveredMail } from './side-worker.ts'

const NewMail = z.object({
  to: z.email(),
  subject: z.string().min(1).max(300),
  text: z.string().max(20_000),
  html: z.string().max(100_000).optional(),
  link: z.url({ protocol: /^https?$/ }).optional(),
  replyTo: z.email().optional(),
  headers: z.record(z.string().regex(/^[\w-]+$/), z.string().regex(/^\P{Cc}*$/u)).optional(),
  attachments: z
    .array(
      z.object({
        name: z.string().max(300),
        type: z.string().regex(/^image\/(jpeg|png|webp|avif)$/),
        content: z.base64(),
        cid: z.string().regex(/^[\w.@-]+$/),
      }),
    )
    .max(20)
    .optional(),
})
export type NewMail = z.infer<typeof NewMail>

const Mail = NewMail.extend({ at: z.string() })
export type Mail = z.infer<typeof Mail>

/** Characters of the largest mail accepted over HTTP, with its pictures. */
const MAX_MAIL = 8 * 1024 ** 2

/** Stores mail as one JSON file each instead of sending it: nothing leaves the machine. Delivers mail to the worker, once `deliver` is set. */
export class MailCatcher {
  deliver: ((mail: DeliveredMail) => Promise<Delivered>) | null = null
  #folder: string
  /** Whom each file is to, in lower case. Tests ask often, and would read thousands of others every time. */
  readonly #to = new Map<string, string>()
  #onMail: (mail: Mail) => void

  constructor(folder: string, onMail: (mail: Mail) => void = () => {}) {
    this.#folder = folder
    this.#onMail = onMail
  }

  async put(mail: NewMail): Promise<void> {
    const stored: Mail = { ...mail, at: new Date().toISOString() }
    await mkdir(this.#folder, { recursive: true })
    // The name starts with the time, so that sorting by name sorts by age.
    const name = `${stored.at.replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.json`
    this.#to.set(name, mail.to.toLowerCase())
    await writeFile(path.join(this.#folder, name), `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
    this.#onMail(stored)
  }

  /** Newest first; only mail to `to` if given. */
  async list(to?: string): Promise<Mail[]> {
    const address = to?.toLowerCase()
    const isWanted = (name: string) => address === undefined || this.#to.get(name) === address
    const names = (await readdir(this.#folder).catch(() => []))
      .filter((name) => name.endsWith('.json') && (isWanted(name) || !this.#to.has(name)))
      .toSorted()
      .toReversed()
    const mails = await Promise.all(
      names.map(async (name) => {
        const mail = Mail.parse(JSON.parse(await readFile(path.join(this.#folder, name), 'utf8')))
        this.#to.set(name, mail.to.toLowerCase())
        return mail
      }),
    )
    return mails.filter((_, nth) => isWanted(names[nth] ?? ''))
  }

  /** Serves /outbox, /outbox.json and /inbox; returns false for other addresses. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const url = new URL(request.url ?? '/', 'http://outbox')
    if (!['/outbox', '/outbox.json', '/inbox'].includes(url.pathname)) return false
    // Prevents DNS rebinding: a foreign page must not read or send mail.
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) send(response, 403, 'text/plain', 'No')
    else if (url.pathname === '/inbox') await this.#deliver(request, response, url.searchParams)
    else if (request.method === 'POST') await this.#take(request, response)
    else if (url.pathname === '/outbox.json') {
      const mails = await this.list(url.searchParams.get('to') ?? undefined)
      send(response, 200, 'application/json', JSON.stringify(mails))
    } else send(response, 200, 'text/html; charset=utf-8', page(await this.list()))
    return true
  }

  /** Gives a mail, such as one saved by a mail program, to the worker as if Cloudflare had found its sender to be real. */
  async #deliver(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> {
    const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
    // Other content types can be sent by a foreign page without a CORS preflight.
    if (request.method !== 'POST' || request.headers['content-type'] !== 'message/rfc822')
      return send(response, 415, 'text/plain', 'POST a mail as message/rfc822')
    if (!this.deliver || !from || !to) return send(response, 400, 'text/plain', 'Say ?from= and ?to=, and start the worker')
    const parts: Uint8Array[] = [
      Buffer.from(`Authentication-Results: mx.cloudflare.net; dmarc=pass header.from=${from.split('@').at(-1)}\r\n`),
    ]
    let size = 0
    for await (const part of request) {
      size += part.length
      if (size > 2 * LIMITS.mailSize) return send(response, 413, 'text/plain', 'Too large')
      parts.push(part)
    }
    const { rejected } = await this.deliver({ from, to, raw: joinBytes(parts) })
    send(response, rejected === null ? 200 : 422, 'text/plain', rejected ?? 'Taken')
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Other content types can be sent by a foreign page without a CORS preflight.
    if (request.headers['content-type'] !== 'application/json') return send(response, 415, 'text/plain', 'JSON only')
    let text = ''
    for await (const chunk of request) {
      text += chunk
      if (text.length > MAX_MAIL) return send(response, 413, 'text/plain', 'Too large')
    }
    const mail = NewMail.safeParse(parseJson(text))
    if (!mail.success) return send(response, 400, 'text/plain', z.prettifyError(mail.error))
    await this.put(mail.data)
    send(response, 201, 'application/json', '{"success":true}')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  })
  response.end(body)
}

function page(mails: Mail[]): string {
  const items = mails.map(article)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Cairn outbox</title><style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
article{border-top:1px solid #8886;padding:1rem 0}h2{font-size:1.1rem;margin:0}pre{white-space:pre-wrap;font:inherit}
dl{font-size:.875rem}dt{font-weight:600}dd{margin:0 0 .25rem}img{max-width:10rem;max-height:10rem;border-radius:.25rem}</style>
<h1>Outbox</h1><p>Mail that this computer would have sent, newest first. To send a mail to Cairn, see dev/README.md.</p>${items.join('\n') || '<p>No mail yet.</p>'}</html>`
}

function article({ at, to, subject, text, link, replyTo, headers, attachments }: Mail): string {
  const time = `<time datetime="${escapeHtml(at)}">${escapeHtml(new Date(at).toLocaleString())}</time>`
  const fields = Object.entries({ ...(replyTo && { 'Reply-To': replyTo }), ...headers })
  const pictures = (attachments ?? []).map(
    ({ name, type, content }) => `<img src="data:${escapeHtml(type)};base64,${escapeHtml(content)}" alt="${escapeHtml(name)}">`,
  )
  return `<article><h2>${escapeHtml(subject)}</h2><p>To ${escapeHtml(to)} · ${time}</p>
<pre>${escapeHtml(text)}</pre>${link ? `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>` : ''}${pictures.length > 0 ? `<p>${pictures.join(' ')}</p>` : ''}${
    fields.length > 0
      ? `<details><summary>Header fields</summary><dl>${fields.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl></details>`
      : ''
  }</article>`
}
