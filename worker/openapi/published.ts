import type { Env } from '../env.ts'
import { RELEASE } from '../http/release.ts'
import { openApi } from './document.ts'
import { docsPage } from './page.ts'
import { STYLE } from './style.ts'

export interface Published {
  text: string
  etag: string
  headers: Record<string, string>
}
type Docs = { json: Published; page: Published }

/** Made at the first request and cached for the life of the isolate: it is the same for all users. */
let made: Promise<Docs> | undefined

export function publishedDocs(env: Env): Promise<Docs> {
  made ??= make(env)
  return made
}

async function make(env: Env): Promise<Docs> {
  const document = openApi(new URL(env.APP_ORIGIN).origin, RELEASE)
  const policy = `default-src 'none'; style-src 'sha256-${await sha256(STYLE)}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return {
    json: await published(JSON.stringify(document), { 'content-type': 'application/json' }),
    page: await published(await docsPage(document), { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }),
  }
}

async function published(text: string, headers: Record<string, string>): Promise<Published> {
  return { text, headers, etag: `"${(await sha256(text)).slice(0, 22)}"` }
}

async function sha256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return btoa(String.fromCharCode(...new Uint8Array(hash)))
}
