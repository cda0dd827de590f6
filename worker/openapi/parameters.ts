import { CALENDAR_FILE } from '../../contract/calendar.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { LINK_PARAM } from '../../contract/guest.ts'
import { UserId } from '../../contract/ids.ts'
import { LIMITS, RENDITIONS } from '../../contract/limits.ts'
import { jsonSchema } from './schemas.ts'
import type { JsonSchema, Parameter } from './types.ts'

/** Path parameters that are not UUIDs. */
const IN_PATH: Record<string, JsonSchema> = {
  userId: jsonSchema(UserId, {}),
  part: { type: 'integer', minimum: 1, maximum: Math.ceil(LIMITS.fileSize / LIMITS.partSize) },
  rendition: { type: 'string', enum: Object.keys(RENDITIONS) },
  modifiers: { type: 'string', description: 'Such as w_640,f_webp,q_80 or s_128x128; a refusal names what there is' },
  provider: { type: 'string' },
  file: { type: 'string', pattern: CALENDAR_FILE.source, description: 'The secret and .ics' },
}

const HEADERS: Record<NonNullable<Endpoint['conditionalHeaders']>[number], Omit<Parameter, 'in'>> = {
  'if-match': { name: 'If-Match', description: 'The version that you changed; 409 when there is a newer one', schema: { type: 'string' } },
  'if-none-match': { name: 'If-None-Match', description: 'The ETag that you have; 304 if it is still current', schema: { type: 'string' } },
  range: { name: 'Range', description: 'Which bytes, as bytes=0-1023; If-Range is honoured', schema: { type: 'string' } },
}

const FILE_OPTIONS: Record<NonNullable<Endpoint['fileOptions']>[number], Omit<Parameter, 'in'>> = {
  v: { name: 'v', description: 'The version of the file, which may then be cached for ever', schema: { type: 'string' } },
  download: { name: 'download', description: 'As a file to save', schema: { type: 'string', enum: ['1'] } },
}

const LINK: Parameter = {
  name: LINK_PARAM,
  in: 'query',
  description: 'The id of a link that the caller has opened, and by whose cookie the call is made',
  schema: { type: 'string', format: 'uuid' },
}

export function parametersOf({ path, query, guests, fileOptions = [], conditionalHeaders = [] }: Endpoint): Parameter[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = '']): Parameter => ({ name, in: 'path', required: true, schema: IN_PATH[name] ?? { type: 'string', format: 'uuid' } }),
  )
  const { properties = {}, required = [] } = query ? inlined(query) : {}
  const inQuery = Object.entries(properties).map(
    ([name, schema]): Parameter => ({ name, in: 'query', ...(required.includes(name) && { required: true }), schema }),
  )
  const ofFiles = fileOptions.map((option): Parameter => ({ in: 'query', ...FILE_OPTIONS[option] }))
  const ofGuests: Parameter[] = guests ? [LINK] : []
  return [
    ...inPath,
    ...inQuery,
    ...ofFiles,
    ...ofGuests,
    ...conditionalHeaders.map((header): Parameter => ({ in: 'header', ...HEADERS[header] })),
  ]
}

/** The schema of a query itself, not a reference to it: its properties become parameters. */
function inlined(query: NonNullable<Endpoint['query']>): JsonSchema {
  const components: Record<string, JsonSchema> = {}
  const schema = jsonSchema(query, components)
  return (schema.$ref && components[schema.$ref.slice('#/components/schemas/'.length)]) || schema
}
