import { html, raw } from 'hono/html'
import type { JsonSchema } from './types.ts'

type Html = ReturnType<typeof html>
type Node = Html | string

const REF = '#/components/schemas/'

/** A schema in TypeScript-like notation, with links to named schemas. */
export function shapeOf(schema: JsonSchema, depth = 0): Node {
  if (schema.$ref) return linkTo(schema.$ref.slice(REF.length))
  if (schema.anyOf) return joined(schema.anyOf.map((part) => shapeOf(part, depth)))
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return joined(schema.enum.map(literal))
  if (schema.type === 'array') return arrayOf(schema, depth)
  if (schema.type === 'object') return objectOf(schema, depth)
  if (Array.isArray(schema.type)) return joined(schema.type.map((type) => html`<i>${type}</i>`))
  return html`<i>${schema.format ?? schema.type ?? 'anything'}</i>`
}

/** Constraints of a value beside its type, in words. */
export function limitsOf(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, description } = schema.anyOf?.[0] ?? schema
  return [
    description ?? schema.description,
    range(minimum, maximum),
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'of them'),
  ]
    .filter(Boolean)
    .join('; ')
}

function range(min: number | undefined, max: number | undefined, what = ''): string {
  const words = min !== undefined && max !== undefined ? `${min} to ${max}` : min !== undefined ? `from ${min}` : `up to ${max}`
  return min === undefined && max === undefined ? '' : `${words} ${what}`.trim()
}

function linkTo(name: string): Html {
  return html`<a href="#${name}">${name}</a>`
}

function literal(value: unknown): Html {
  return html`<b>${JSON.stringify(value)}</b>`
}

function joined(parts: Node[]): Html {
  return html`${parts.map((part, n) => (n === 0 ? part : html` | ${part}`))}`
}

function arrayOf({ items = {} }: JsonSchema, depth: number): Html {
  const several = items.anyOf || items.enum || Array.isArray(items.type)
  return several ? html`(${shapeOf(items, depth)})[]` : html`${shapeOf(items, depth)}[]`
}

function objectOf({ properties, required = [], additionalProperties }: JsonSchema, depth: number): Html {
  if (!properties) {
    const values = typeof additionalProperties === 'object' ? shapeOf(additionalProperties, depth) : html`<i>anything</i>`
    return html`{ [name]: ${values} }`
  }
  const indent = raw('  '.repeat(depth + 1))
  const lines = Object.entries(properties).map(([name, schema]) => {
    const limits = limitsOf(schema)
    const limitText = limits && html`  <small>${limits}</small>`
    return html`${indent}${name}${required.includes(name) ? '' : '?'}: ${shapeOf(schema, depth + 1)}${limitText}\n`
  })
  return html`{\n${lines}${raw('  '.repeat(depth))}}`
}
