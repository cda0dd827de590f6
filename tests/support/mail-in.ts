import { inject } from 'vitest'

/** A part of a mail. Its bytes are written in base64. */
export interface MailPart {
  type: string
  name?: string
  bytes: Uint8Array | string
  /** Of a picture within the HTML. */
  cid?: string
  disposition?: 'attachment' | 'inline'
}

export interface MailOptions {
  from: string
  to: string
  subject?: string
  text?: string
  html?: string
  parts?: MailPart[]
  /** Header lines before all others. Undefined: what Cloudflare writes for a mail that has passed everything. */
  results?: string[]
  /** Further header lines, or other values for those below; null leaves one out. */
  headers?: Record<string, string | null>
}

let number = 0
const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

/** What Cloudflare puts on top of a mail. */
export function passing(from: string): string {
  const domain = domainOf(from)
  return [
    'Authentication-Results: mx.cloudflare.net;',
    `\tdkim=pass header.d=${domain} header.s=s1 header.b=QUJDREVG;`,
    `\tdmarc=pass header.from=${domain} policy.dmarc=none;`,
    '\tspf=none (mx.cloudflare.net: no SPF records found for postmaster@mail.example) smtp.helo=mail.example;',
    `\tspf=pass (mx.cloudflare.net: domain of ${from} designates 192.0.2.1 as permitted sender) smtp.mailfrom=${from};`,
    '\tarc=none smtp.remote-ip=192.0.2.1',
  ].join('\r\n')
}

/** A mail as it comes from Cloudflare. */
export function mailOf({
  from,
  to,
  subject = 'Hello',
  text,
  html,
  parts = [],
  results = [passing(from)],
  headers = {},
}: MailOptions): Buffer {
  const fields: Record<string, string | null> = {
    ...{ From: from, To: to, Subject: subject, Date: new Date().toUTCString().replace('GMT', '+0000') },
    ...{ 'Message-ID': `<${process.pid}.${++number}.${Date.now()}@test>`, 'MIME-Version': '1.0' },
    ...headers,
  }
  const boundary = 'mixed-0001'
  const texts: MailPart[] = [
    ...(text === undefined ? [] : [{ type: 'text/plain; charset=utf-8', bytes: text }]),
    ...(html === undefined ? [] : [{ type: 'text/html; charset=utf-8', bytes: html }]),
  ]
  const alternative = texts.length < 2 ? texts.map(partOf) : [joined('multipart/alternative', 'alternative-0001', texts.map(partOf))]
  const body = joined('multipart/mixed', boundary, [...alternative, ...parts.map(partOf)])
  const lines = Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
  return Buffer.from([...results, ...lines, body].join('\r\n'))
}

function joined(type: string, boundary: string, parts: string[]): string {
  return `Content-Type: ${type}; boundary="${boundary}"\r\n\r\n${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`
}

function partOf({ type, name, bytes, cid, disposition = name === undefined ? undefined : 'attachment' }: MailPart): string {
  const encoded = Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n')
  return [
    `Content-Type: ${type}${name === undefined ? '' : `; name="${name}"`}`,
    'Content-Transfer-Encoding: base64',
    ...(disposition ? [`Content-Disposition: ${disposition}${name === undefined ? '' : `; filename="${name}"`}`] : []),
    ...(cid ? [`Content-ID: <${cid}>`] : []),
    '',
    encoded,
  ].join('\r\n')
}

/** Delivers a mail. Returns why it was refused, or null. `size` is what the platform says. Throws if the worker fails. */
export async function deliver(path: { from: string; to: string }, raw: Uint8Array, size = raw.byteLength): Promise<string | null> {
  return (await deliverLong(path, raw, { size, more: 0 })).rejected
}

/** The same for a mail with so many MiB more at its end, and with the number of bytes that were read. */
export async function deliverLong(
  path: { from: string; to: string },
  raw: Uint8Array,
  { size, more }: { size: number; more: number },
): Promise<{ rejected: string | null; read: number }> {
  const query = new URLSearchParams({ ...path, size: String(size), more: String(more) })
  const response = await fetch(`${inject('stack').control}/mail?${query}`, { method: 'POST', body: raw as BodyInit })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { rejected: string | null; read: number }
}

/** Writes a mail and delivers it. */
export const send = (options: MailOptions & { envelope?: string }) =>
  deliver({ from: options.envelope ?? options.from, to: options.to }, mailOf(options))
