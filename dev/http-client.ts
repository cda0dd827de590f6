/** The answer to a call. `body` is the parsed JSON, or null if there is none. */
export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: callers read answers freely; the contract test validates their shapes.
  body: any
  headers: Headers
  bytes: Uint8Array
}

export interface CallOptions {
  headers?: Record<string, string>
  /** Media type of a raw body. */
  type?: string
}

/** An HTTP client like a browser: keeps cookies, sends the app's Origin with every unsafe call. */
export class Client {
  readonly cookies = new Map<string, string>()
  readonly origin: string

  constructor(origin: string) {
    this.origin = origin
  }

  get = (path: string, options?: CallOptions) => this.call('GET', path, undefined, options)
  head = (path: string, options?: CallOptions) => this.call('HEAD', path, undefined, options)
  post = (path: string, body?: unknown, options?: CallOptions) => this.call('POST', path, body, options)
  put = (path: string, body?: unknown, options?: CallOptions) => this.call('PUT', path, body, options)
  patch = (path: string, body?: unknown, options?: CallOptions) => this.call('PATCH', path, body, options)
  delete = (path: string, body?: unknown, options?: CallOptions) => this.call('DELETE', path, body, options)

  async call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const headers = new Headers(options.headers)
    const raw = body instanceof Uint8Array || body instanceof Blob || typeof body === 'string'
    // fetch gives a form its type, with the boundary.
    const form = body instanceof FormData
    if (body !== undefined && !form && !headers.has('content-type')) {
      headers.set('content-type', options.type ?? (raw ? 'application/octet-stream' : 'application/json'))
    }
    if (method !== 'GET' && method !== 'HEAD' && !headers.has('origin')) headers.set('origin', this.origin)
    if (this.cookies.size > 0 && !headers.has('cookie')) headers.set('cookie', this.cookieHeader())
    const payload = body === undefined ? {} : { body: raw || form ? (body as BodyInit) : JSON.stringify(body) }
    const response = await fetch(new URL(path, this.origin), { method, headers, redirect: 'manual', ...payload })
    this.keepCookies(response.headers)
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, body: parse(response.headers, bytes), headers: response.headers, bytes }
  }

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  private keepCookies(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';')
      const at = pair.indexOf('=')
      const expired = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute))
      if (expired) this.cookies.delete(pair.slice(0, at).trim())
      else this.cookies.set(pair.slice(0, at).trim(), pair.slice(at + 1))
    }
  }
}

function parse(headers: Headers, bytes: Uint8Array): unknown {
  if (!headers.get('content-type')?.includes('json') || bytes.length === 0) return null
  return JSON.parse(new TextDecoder().decode(bytes))
}
