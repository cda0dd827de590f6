import { html } from 'hono/html'

interface ErrorPageProps {
  status: number
  message: string
  /** By which the log knows the request; where it was our mistake, somebody may be told it. */
  requestId: string | undefined
}

function titleOf(status: number): string {
  if (status === 404) return 'Page Not Found'
  if (status === 503) return 'Cairn cannot be reached'
  return status < 500 ? 'This cannot be shown' : 'Internal Server Error'
}

/** For whoever opened an address and not a call of the app: the same words as a page, with a way on. */
export function errorPage({ status, message, requestId }: ErrorPageProps) {
  const title = titleOf(status)
  return html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Cairn</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>
:root { color-scheme: light dark }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; font: 1rem/1.5 system-ui, sans-serif; text-align: center }
main { max-width: 28rem; padding: 1.5rem }
h1 { font-size: 1.375rem }
code { overflow-wrap: anywhere; user-select: all }
</style>
</head>
<body>
<main>
<p>${status}</p>
<h1>${title}</h1>
<p>${message}.</p>
${status >= 500 && requestId ? html`<p>If it stays, tell whoever runs this site the number of the request: <code>${requestId}</code></p>` : ''}
<p>${status === 401 ? html`<a href="/login">Sign in</a>` : html`<a href="/">Home</a>`}</p>
</main>
</body>
</html>
`
}
