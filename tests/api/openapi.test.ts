import { createHash } from 'node:crypto'
import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { createAsset } from '../../contract/assets.ts'
import { ENDPOINTS } from '../../contract/routes.ts'
import { type Answer, Client } from '../../dev/http-client.ts'
import { app } from '../../worker/app.ts'
import type { OpenApi, Operation } from '../../worker/openapi/types.ts'

const stranger = new Client(inject('stack').origin)
let answer: Answer
let document: OpenApi
let operations: [name: string, operation: Operation][]
beforeAll(async () => {
  answer = await stranger.get('/api/openapi.json')
  document = answer.body
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method.toUpperCase()} ${path}`, operation]),
  )
})

describe('the OpenAPI document', () => {
  test('The document is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    const validator = new Validator()
    expect(await validator.validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true })
    // Follows every $ref.
    expect(validator.resolveRefs()).toBeTruthy()
    expect(danglingReferences(document)).toEqual([])
  })

  test('The document has exactly the calls of the worker', () => {
    const inOneSpelling = (name: string) => name.replace(/\{[^}]+\}|:\w+/g, '{}')
    const routes = app.routes.filter(({ method, path }) => method !== 'ALL' && /^\/(api|_image)\//.test(path))
    const named = routes.map(({ method, path }) => inOneSpelling(`${method} ${path}`))
    expect(operations.map(([name]) => inOneSpelling(name)).toSorted()).toEqual([...new Set(named)].toSorted())
  })

  test('The document names every operation, heading and path parameter', () => {
    const ids = operations.map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const headings = document.tags.map(({ name }) => name)
    for (const [name, { tags, summary, parameters = [] }] of operations) {
      expect(headings).toContain(tags[0])
      expect(summary).not.toBe('')
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
      expect(inPath, name).toEqual([...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter))
    }
  })

  test('The document states permissions, bodies and answers as the contract does', () => {
    for (const endpoint of ENDPOINTS) {
      const { method, path, public: open, sessionOnly, body, requestTypes, creates } = endpoint
      const { security, requestBody, responses } = document.paths[path]?.[method.toLowerCase()] ?? ({} as Operation)
      const ways = security.flatMap((way) => Object.keys(way))
      expect(ways, path).toEqual(open ? [] : sessionOnly ? ['session'] : ['session', 'token'])
      expect(Object.keys(requestBody?.content ?? {})).toEqual(
        body ? ['application/json', ...(endpoint === createAsset ? ['multipart/form-data'] : [])] : (requestTypes ?? []),
      )
      expect('201' in responses).toBe(creates === true)
      expect(responses.default).toEqual({ $ref: '#/components/responses/internal' })
    }
  })

  test.each(['asset', 'post'])('The document describes both forms of a list of %ss', (kind) => {
    const [rows, columns] = document.paths[`/api/${kind}`]?.get?.responses[200]?.content?.['application/json']?.schema?.anyOf ?? []
    const name = kind === 'asset' ? 'Asset' : 'Post'
    expect(rows?.properties?.[`${kind}s`]).toMatchObject({ type: 'array', items: { $ref: `#/components/schemas/${name}` } })
    const parts = columns?.properties?.[`${kind}s`]?.properties
    expect(Object.keys(parts ?? {})).toEqual(['fields', 'user', 'users', 'collections', 'links', 'people'])
    expect(parts?.fields?.properties?.id).toMatchObject({ type: 'array', items: { format: 'uuid' } })
  })

  test('The document refuses the same bodies as the worker', () => {
    expect(document.components.schemas.NewPost).toMatchObject({ type: 'object', additionalProperties: false, required: ['type', 'title'] })
  })

  test('The document says that a call for a part of a file may get 416', () => {
    const refused = { $ref: '#/components/responses/range_not_satisfiable' }
    expect(document.paths['/api/asset/{id}/file']?.get?.responses).toMatchObject({ 206: expect.anything(), 416: refused })
    expect(document.components.schemas.Failure).toMatchObject({ type: 'object' })
    expect(JSON.stringify(document.components.schemas)).toContain('"range_not_satisfiable"')
  })

  test('The document says that a call gets 404 for unknown ids, also of its body or query, and 410 for a revision that is too old', () => {
    const [unknown, gone] = ['not_found', 'gone'].map((code) => ({ $ref: `#/components/responses/${code}` }))
    for (const kind of ['post', 'asset']) {
      expect(document.paths[`/api/${kind}`]?.get?.responses).toMatchObject({ 404: unknown, 410: gone })
      for (const path of ['', '/bulk.date', '/bulk.people'])
        expect(document.paths[`/api/${kind}${path}`]?.post?.responses, path).toMatchObject({ 404: unknown })
    }
    expect(document.paths['/api/feed']?.get?.responses).not.toHaveProperty('404')
  })

  test.each([
    ['/api/post/{id}', 'patch', 'post', 'Post'],
    ['/api/asset/{id}', 'put', 'asset', 'Asset'],
    ['/api/comments/{id}', 'patch', 'comment', 'Comment'],
  ])('The document says that %s refuses an old version with the present one', (path, method, name, schema) => {
    const { content } = document.paths[path]?.[method]?.responses[409] ?? {}
    expect(content?.['application/json']?.schema).toMatchObject({
      properties: { error: expect.anything(), [name]: { $ref: `#/components/schemas/${schema}` } },
      required: ['success', 'error'],
    })
  })

  test.each([
    ['/api/asset/{id}/file', 'download'],
    ['/api/asset/{id}/renditions/film', 'download'],
    ['/api/asset/{id}/renditions/film', 'v'],
    ['/api/asset/{id}/renditions/{rendition}', 'v'],
    ['/api/users/{id}/avatar', 'v'],
    ['/_image/{modifiers}/{id}', 'v'],
    ['/api/collections/{id}/timeline', 'If-None-Match'],
  ])('The document has %s with %s', (path, name) => {
    const { parameters = [], responses = {} } = document.paths[path]?.get ?? {}
    expect(parameters.map((parameter) => parameter.name)).toContain(name)
    expect(responses).toHaveProperty('304')
  })

  test('The document has the calls that add and remove one link of an item', () => {
    for (const kind of ['post', 'asset']) {
      expect(document.paths[`/api/${kind}/{id}/collections`]?.post?.summary).toMatch(/^Put /)
      expect(document.paths[`/api/${kind}/{id}/collections/{collectionId}`]?.delete?.summary).toMatch(/^Take one /)
    }
  })

  test('An unchanged document gets 304', async () => {
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    const tag = answer.headers.get('etag') ?? ''
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await stranger.get('/api/openapi.json', { headers: { 'if-none-match': known } })
      expect([again.status, again.bytes.length]).toEqual([304, 0])
    }
  })
})

describe('the page of the OpenAPI document', () => {
  test('The page shows every call and shape without scripts, under a policy that allows only its own style', async () => {
    const page = await stranger.get('/api/docs')
    const text = new TextDecoder().decode(page.bytes)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    for (const [, { operationId }] of operations) expect(text).toContain(`<details id="${operationId}">`)
    for (const name of Object.keys(document.components.schemas)) expect(text).toContain(`id="${name}"`)
    expect(text).not.toMatch(/<script| style=| on\w+=/)
    const style = text.match(/<style>(.*)<\/style>/s)?.[1] ?? ''
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(policy).toContain("default-src 'none'")
  })

  test('The page has no broken link and no duplicate id', async () => {
    const text = new TextDecoder().decode((await stranger.get('/api/docs')).bytes)
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const targets = new Set([...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id))
    expect([...targets].filter((target) => !ids.includes(target))).toEqual([])
  })
})

function danglingReferences(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' && !resolves(inner) ? [String(inner)] : danglingReferences(inner)))
}

function resolves(reference: string): boolean {
  const [, ...names] = reference.split('/')
  return names.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document) !== undefined
}
