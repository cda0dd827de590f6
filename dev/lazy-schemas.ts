import type { Plugin } from 'vite'

const CONTRACT = /\/contract\/[\w-]+\.ts$/
/** Whose argument holds what something has, by its name: zod takes accessors there, and asks each once, when it first parses. */
const SHAPES = new Set(['object', 'strictObject', 'extend'])
/** What `endpoint()` has of schemas. */
const PARTS = new Set(['query', 'body', 'response'])

/** Of the syntax tree, which is walked without minding what each kind has. */
interface Node {
  type: string
  start: number
  end: number
  [part: string]: unknown
}

interface Edit {
  from: number
  to: number
  text: string
}

/**
 * The browser makes a schema when it first parses with it. By itself the contract makes all of them as soon as it is loaded, long before
 * there is anything on the screen; and those that no part of the app asks for as well.
 */
export function lazySchemas(): Plugin {
  return {
    name: 'cairn-lazy-schemas',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: CONTRACT },
      handler(code) {
        // The tree is plain data of these fields.
        const program = this.parse(code, { lang: 'ts' }) as unknown as Node
        return { code: edited(code, [...droppable(program), ...deferred(program)]), map: null }
      },
    },
  }
}

/** What a call makes stays in the bundle for what else it may do, unless it is marked. The mark is of one call, not of those within. */
function droppable(program: Node): Edit[] {
  const statements = partsOf(program).flatMap((node) => (node.type === 'ExportNamedDeclaration' ? partsOf(node) : [node]))
  const constants = statements.filter(({ type }) => type === 'VariableDeclaration').flatMap(partsOf)
  return constants.flatMap(({ init }) => (isCall(init) ? [insert(init.start, '/* @__PURE__ */ (() => '), insert(init.end, ')()')] : []))
}

/** `name: made()` becomes `get name() { return made() }`. */
function deferred(node: Node): Edit[] {
  return [...shapeOf(node), ...partsOf(node).flatMap(deferred)]
}

function shapeOf({ type, callee, arguments: given }: Node): Edit[] {
  const [shape] = type === 'CallExpression' && Array.isArray(given) ? given : []
  if (!isNode(callee) || !isNode(shape) || shape.type !== 'ObjectExpression') return []
  const endpoint = callee.name === 'endpoint'
  if (!endpoint && !(isNode(callee.property) && SHAPES.has(String(callee.property.name)))) return []
  return partsOf(shape).flatMap(({ start, key, value }) => {
    if (!isNode(key) || !isCall(value) || (endpoint && !PARTS.has(String(key.name)))) return []
    // An endpoint is asked anew for each call.
    const [before, after] = endpoint ? [`Object.defineProperty(this, '${key.name}', { value: `, ` }).${key.name}`] : ['', '']
    return [insert(start, 'get '), { from: key.end, to: value.start, text: `() { return ${before}` }, insert(value.end, `${after} }`)]
  })
}

function insert(at: number, text: string): Edit {
  return { from: at, to: at, text }
}

function edited(code: string, edits: Edit[]): string {
  let last = 0
  const pieces = edits
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to, text }) => {
      const piece = code.slice(last, from) + text
      last = to
      return piece
    })
  return pieces.join('') + code.slice(last)
}

function partsOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}

function isCall(part: unknown): part is Node {
  return isNode(part) && part.type === 'CallExpression'
}

function isNode(part: unknown): part is Node {
  return typeof part === 'object' && part !== null && 'type' in part && 'start' in part
}
