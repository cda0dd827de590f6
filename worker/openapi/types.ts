/** The parts of JSON Schema that are used here. */
export interface JsonSchema {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  $schema?: string
  type?: string
  format?: string
  const?: unknown
  enum?: unknown[]
  pattern?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  anyOf?: JsonSchema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  description?: string
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
}
export type Content = Record<string, { schema?: JsonSchema }>
export interface Answer {
  $ref?: string
  description?: string
  content?: Content
}
export interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required: true; content: Content }
  responses: Record<string, Answer>
}
export interface OpenApi {
  openapi: string
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, Answer>; securitySchemes: Record<string, unknown> }
}
