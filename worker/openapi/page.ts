import { html, raw } from 'hono/html'
import { limitsOf, shapeOf } from './shape.ts'
import { STYLE } from './style.ts'
import type { Answer, OpenApi, Operation, Parameter } from './types.ts'

interface Entry {
  method: string
  path: string
  operation: Operation
}

/** The API documentation as a page, which needs no JavaScript. */
export async function docsPage(document: OpenApi): Promise<string> {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => ({ method: method.toUpperCase(), path, operation })),
  )
  const groups = document.tags.map(({ name }) => ({ name, entries: entries.filter(({ operation }) => operation.tags.includes(name)) }))
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cairn API</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${raw(STYLE)}</style>
</head>
<body>
<div class="all">
<nav aria-label="Contents"><strong>Cairn API</strong>${[...groups.map(({ name }) => name), 'Shapes', 'Refusals'].map((name) => html`<a href="#${anchor(name)}">${name}</a>`)}</nav>
<main>
<h1>Cairn API</h1>
${document.info.description.split('\n\n').map((paragraph) => html`<p>${marked(paragraph)}</p>`)}
<p>For tools: <a href="/api/openapi.json">openapi.json</a>, OpenAPI ${document.openapi}.</p>
${groups.map(({ name, entries }) => html`<section aria-labelledby="${anchor(name)}"><h2 id="${anchor(name)}">${name}</h2>${entries.map(call)}</section>`)}
<section aria-labelledby="shapes"><h2 id="shapes">Shapes</h2>
${Object.entries(document.components.schemas).map(([name, schema]) => html`<details id="${name}" open><summary><span class="path">${name}</span></summary><div class="inside"><pre tabindex="0">${shapeOf(schema)}</pre></div></details>`)}
</section>
<section aria-labelledby="refusals"><h2 id="refusals">Refusals</h2>
<p>All have the shape <a href="#Failure">Failure</a>.</p>
<div class="scroll"><table>${Object.entries(document.components.responses).map(([code, { description }]) => html`<tr><td><code>${code}</code></td><td>${marked(description ?? '')}</td></tr>`)}</table></div>
</section>
</main>
</div>
</body>
</html>
`
  return page.toString()
}

function call({ method, path, operation }: Entry) {
  const { operationId, summary, parameters = [], requestBody, responses, security } = operation
  return html`<details id="${operationId}">
<summary><span class="method">${method}</span><span class="path">${path}</span><span>${summary}</span></summary>
<div class="inside">
<p class="who">${accessText(security)} <code>${operationId}</code></p>
${parameters.length > 0 ? html`<h3>Parameters</h3><div class="scroll"><table>${parameters.map(parameter)}</table></div>` : ''}
${requestBody ? html`<h3>Body</h3>${contentOf(requestBody)}` : ''}
${Object.entries(responses).map(([status, answer]) => (Number(status) < 400 ? html`<h3>${status} ${answer.description}</h3>${contentOf(answer)}` : ''))}
<h3>Refusals</h3><p>${refusals(responses)}</p>
</div>
</details>`
}

function parameter({ name, in: place, required, schema, description }: Parameter) {
  const limits = description ?? limitsOf(schema)
  return html`<tr><td><code>${name}${required ? '' : '?'}</code></td><td>${place}</td><td><code>${shapeOf(schema)}</code></td><td>${limits}</td></tr>`
}

function contentOf({ content = {} }: Pick<Answer, 'content'>) {
  return Object.entries(content).map(([type, { schema }]) =>
    schema ? html`<pre tabindex="0">${shapeOf(schema)}</pre>` : html`<p>Bytes: <code>${type}</code></p>`,
  )
}

function refusals(responses: Record<string, Answer>) {
  const statuses = Object.entries(responses).flatMap(([status, { $ref }]) => ($ref && status !== 'default' ? [{ status, $ref }] : []))
  return html`${statuses.map(({ status, $ref }) => html`${status} <a href="#refusals">${$ref.split('/').at(-1)}</a>, `)}any other as <a href="#Failure">Failure</a>`
}

function accessText(security: Operation['security']): string {
  if (security.length === 0) return 'For everybody.'
  return security.some((way) => 'token' in way) ? 'With a session or an access token.' : 'With a session; takes no access token.'
}

const anchor = (name: string) => name.toLowerCase().replaceAll(' ', '-')

/** `code` in a text. */
function marked(text: string) {
  return text.split('`').map((part, n) => (n % 2 === 1 ? html`<code>${part}</code>` : part))
}
