import { createAsset } from '../../contract/assets.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ERROR_STATUS, type ErrorCode, Failure } from '../../contract/errors.ts'
import { CALLS, type Call } from '../../contract/routes.ts'
import type { UPLOAD_FORM } from '../../contract/upload-form.ts'
import { z } from '../../contract/zod.ts'
import { parametersOf } from './parameters.ts'
import { jsonSchema } from './schemas.ts'
import type { Answer, Content, JsonSchema, OpenApi, Operation } from './types.ts'

const DESCRIPTION = `Posts, photos and files in shared collections.

Success is \`{"success": true, …}\`; a failure is \`{"success": false, "error": {"code", "message", "fields"?}}\` with the matching
status. A caller who may not see an item gets 404; 403 means that their role or token does not allow the action. Unknown fields are refused. Ids are UUIDs of
version 7, and where a body takes an \`id\` the call may be repeated safely: the second answer is 200 with what the first one made.

A browser signs in and sends the session cookie; its unsafe calls must come from the app's own pages. A script sends
\`Authorization: Bearer cairn_…\` with an access token that a person made; one of the scope read may only GET.
A token for one collection makes only calls about that collection and its items, and sees nothing else.

A file of at most 8 MiB goes in one request, and all but the file may be left out:
\`curl -H 'Authorization: Bearer cairn_…' -F 'asset={"collectionIds": ["…"]}' -F file=@lake.jpg https://…/api/asset\`
Date, place and caption of a photo that are left out are read from the file within minutes, unless one of them is sent as null.`

/** The OpenAPI 3.1 document, made from the schemas with which the worker validates. `origin` is the API's own. */
export function openApi(origin: string, version: string): OpenApi {
  const schemas: Record<string, JsonSchema> = {}
  jsonSchema(Failure, schemas)
  const paths: OpenApi['paths'] = {}
  for (const call of CALLS) {
    const { path, method } = call.endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(call, schemas) }
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Cairn', version, description: DESCRIPTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: origin }],
    tags: [...new Set(CALLS.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: { schemas, responses: failures(), securitySchemes: SECURITY },
  }
}

const SECURITY = {
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'Sealed by the worker; `__Host-session` on https' },
  token: { type: 'http', scheme: 'bearer', bearerFormat: 'cairn_…', description: 'A personal access token' },
}

function operation({ name, group, endpoint }: Call, schemas: Record<string, JsonSchema>): Operation {
  const { summary, body, requestTypes } = endpoint
  const parameters = parametersOf(endpoint)
  const content: Content | undefined = body
    ? {
        'application/json': { schema: jsonSchema(body, schemas) },
        ...(endpoint === createAsset && { 'multipart/form-data': { schema: UPLOAD_SCHEMA } }),
      }
    : requestTypes && Object.fromEntries(requestTypes.map((type) => [type, {}]))
  return {
    operationId: name,
    summary,
    tags: [group],
    security: endpoint.public ? [] : endpoint.sessionOnly ? [{ session: [] }] : [{ session: [] }, { token: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(content && { requestBody: { required: true, content } }),
    responses: { ...successes(endpoint, schemas), ...refusals(endpoint, schemas) },
  }
}

const FILE: JsonSchema = { type: 'string', format: 'binary' }
const UPLOAD_FIELDS: Record<(typeof UPLOAD_FORM)[number], JsonSchema> = {
  asset: { type: 'string', description: 'The JSON body, without what can be taken from the file' },
  ...{ thumb: FILE, preview: FILE, file: FILE },
}
const UPLOAD_SCHEMA: JsonSchema = { type: 'object', properties: UPLOAD_FIELDS, required: ['file'], additionalProperties: false }

function successes(endpoint: Endpoint, schemas: Record<string, JsonSchema>): Record<string, Answer> {
  const { responseType, creates, conditionalHeaders = [], response, columns } = endpoint
  if (responseType === 'redirect') return { 302: { description: 'Redirects' } }
  const json = columns ? { anyOf: [response, columns].map((form) => jsonSchema(form, schemas)) } : jsonSchema(response, schemas)
  const content: Content = responseType ? { [responseType]: {} } : { 'application/json': { schema: json } }
  return {
    200: { description: creates ? 'It was there already' : 'Done', content },
    ...(creates && { 201: { description: 'Made', content } }),
    ...(conditionalHeaders.includes('range') && { 206: { description: 'The part that was asked for', content } }),
    ...(conditionalHeaders.includes('if-none-match') && { 304: { description: 'You have this already' } }),
  }
}

/** Error responses that follow from the definition of a call. All others have the same shape. */
function refusals(endpoint: Endpoint, schemas: Record<string, JsonSchema>): Record<string, Answer> {
  const { path, body, query, requestTypes, conditionalHeaders = [], public: open } = endpoint
  const codes: ErrorCode[] = [
    ...(body || query || requestTypes ? ['invalid' as const] : []),
    ...(open ? [] : ['unauthenticated' as const, 'forbidden' as const]),
    ...(path.includes('{') || [body, query].some(namesIds) ? ['not_found' as const] : []),
    ...(query instanceof z.ZodObject && 'since' in query.shape ? ['gone' as const] : []),
    ...(body || requestTypes ? ['too_large' as const, 'unsupported_media' as const] : []),
    ...(conditionalHeaders.includes('range') ? ['range_not_satisfiable' as const] : []),
  ]
  const named = Object.fromEntries(codes.map((code) => [ERROR_STATUS[code], { $ref: `#/components/responses/${code}` }]))
  const outdated = conditionalHeaders.includes('if-match') && { [ERROR_STATUS.conflict]: conflictOf(endpoint, schemas) }
  return { ...named, ...outdated, default: { $ref: '#/components/responses/internal' } }
}

/** Whether a body or query has ids, in whatever depth. */
function namesIds(schema: z.ZodType | undefined): boolean {
  const components: Record<string, JsonSchema> = {}
  return schema !== undefined && JSON.stringify([jsonSchema(schema, components), components]).includes('"format":"uuid"')
}

/** With the present row, as a success has it. */
function conflictOf({ response }: Endpoint, schemas: Record<string, JsonSchema>): Answer {
  const { success: _, changeId: __, ...current } = response instanceof z.ZodObject ? response.shape : {}
  const schema = jsonSchema(Failure.extend(z.object(current).partial().shape), schemas)
  return { description: `${MEANING.conflict}, which comes with it`, content: { 'application/json': { schema } } }
}

const MEANING: Record<ErrorCode, string> = {
  invalid: 'Something in it is not valid; `fields` says what',
  unauthenticated: 'Nobody is signed in, or the token is not good',
  forbidden: 'The role or the token does not allow it, or the call came from a foreign page',
  not_found: 'There is no such thing, or the caller may not see it',
  conflict: 'It does not fit what is there now',
  gone: 'It is over',
  too_large: 'More than is accepted; with `quota_exceeded`, the account or collection is full',
  quota_exceeded: 'The account or collection is full',
  unsupported_media: 'Another media type is needed',
  range_not_satisfiable: 'The file has no such part',
  rate_limited: 'Too many attempts; Retry-After says when to try again',
  internal: 'Any other refusal or failure, in the same shape',
  unavailable: 'Something that is needed does not answer; Retry-After says when again',
}

function failures(): Record<string, Answer> {
  const content: Content = { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } }
  return Object.fromEntries(Object.entries(MEANING).map(([code, description]) => [code, { description, content }]))
}
