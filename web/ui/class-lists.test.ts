import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { extendTailwindMerge } from 'tailwind-merge'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

/** Drops the earlier of two conflicting classes. Plain joins keep both, and the order of the style sheet decides. */
const merge = extendTailwindMerge({
  extend: { theme: { text: ['3xl'], radius: ['2xl'], shadow: ['raised', 'dialog'], animate: [] } },
})

test('no class list of the app contains two classes that set the same property', { timeout: 60_000 }, () => {
  const files = globSync('web/**/*.{ts,tsx}').filter((file) => !file.includes('.test.'))
  const { lists, conflicts } = read(Object.fromEntries(files.map((file) => [file, readFileSync(file, 'utf8')])))
  expect(lists).toBeGreaterThan(1000)
  expect(conflicts).toEqual([])
})

test('conflicting classes are found within a list, across constants, and between a component and its callers', () => {
  const sources = {
    'ui/card.tsx': `
      const SIZES = { sm: 'p-2', lg: 'p-4' }
      export function Card({ size, className, ...rest }) { return <p {...rest} className={cx('m-1 rounded', SIZES[size], className)} /> }
      export const Wide = (props) => <Card size="lg" {...props} />`,
    'use.tsx': `
      import { Card, Wide } from './ui/card.tsx'
      const a = <i className="flex grid" />
      const b = <i className={on ? 'block' : 'hidden'} />
      const c = <Card className="p-3" />
      const d = <Wide className={on && 'rounded-lg hover:m-2'} />`,
  }
  expect(read(sources).conflicts).toEqual([
    'ui/card.tsx: rounded, rounded-lg',
    'ui/card.tsx: p-2, p-3',
    'ui/card.tsx: p-4, p-3',
    'use.tsx: flex, grid',
  ])
})

/** A node of a syntax tree, traversed without a case for each type. */
interface Node {
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: fields differ by type
  [field: string]: any
}
/** Classes that apply together, or alternatives of which one applies. */
type List = string[] | { all: List[] } | { one: List[] }

interface Source {
  file: string
  /** Values and functions by name, including those within functions. */
  named: Map<string, Node[]>
  imports: Map<string, { file: string; name: string }>
}

function read(texts: Record<string, string>) {
  const sources = new Map<string, Source>()
  /** Expressions passed to props, as `file:Component.prop`, each with the enclosing components. */
  const passed = new Map<string, { value: Node; source: Source; within: Node[] }[]>()
  const roots: { value: Node; source: Source; within: Node[] }[] = []
  for (const [file, text] of Object.entries(texts)) {
    const source: Source = { file, named: new Map(), imports: new Map() }
    sources.set(file, source)
    const add = (name: string, node: Node) => source.named.set(name, [...(source.named.get(name) ?? []), node])
    walk(parseSync(file, text).program as unknown as Node, [], (node, within) => {
      if (node.type === 'ImportDeclaration')
        for (const { local, imported } of node.specifiers)
          source.imports.set(local.name, { file: path.posix.join(path.posix.dirname(file), node.source.value), name: imported?.name })
      if (node.type === 'VariableDeclarator' && node.init && node.id.name) add(node.id.name, node.init)
      if (node.type === 'FunctionDeclaration') add(node.id.name, node)
      if (node.type === 'CallExpression' && node.callee.name === 'cx') roots.push({ value: node, source, within })
      if (node.type !== 'JSXOpeningElement') return
      const target = node.name.name && resolve(source, node.name.name)
      for (const attribute of node.attributes) {
        const value = attribute.argument ?? attribute.value?.expression ?? attribute.value
        if (!value) continue
        const prop = attribute.type === 'JSXSpreadAttribute' ? '...' : attribute.name.name
        if (/classname$/i.test(prop)) roots.push({ value, source, within })
        const key = `${target}.${prop}`
        passed.set(key, [...(passed.get(key) ?? []), { value, source, within }])
      }
    })
  }

  function resolve(source: Source, name: string): string {
    const imported = source.imports.get(name)
    return imported ? `${imported.file}:${imported.name}` : `${source.file}:${name}`
  }

  /** The values that callers pass as a prop, by name or by spreading their own props. */
  function passedTo(component: string, prop: string, seen: ReadonlySet<string>): List {
    const key = `${component}.${prop}`
    if (seen.has(key)) return []
    const now = new Set([...seen, key])
    const named = (passed.get(key) ?? []).map(({ value, source, within }) => listOf(value, source, within, now))
    const spread = (passed.get(`${component}....`) ?? []).map(({ value, source, within }) => {
      const owner = componentAround(source, within)
      return owner && isRest(owner.node, value.name, prop) ? passedTo(owner.key, prop, now) : []
    })
    return { one: [...named, ...spread] }
  }

  function componentAround(source: Source, within: Node[]): { key: string; node: Node } | null {
    for (const node of [...within].reverse())
      for (const [name, values] of source.named)
        if (values.includes(node) && /^[A-Z]/.test(name)) return { key: `${source.file}:${name}`, node }
    return null
  }

  function listOf(node: Node | null, source: Source, within: Node[], seen: ReadonlySet<string>): List {
    const of = (next: Node | null) => listOf(next, source, within, seen)
    switch (node?.type) {
      case 'Literal':
        return typeof node.value === 'string' ? words(node.value) : []
      case 'TemplateLiteral':
        return { all: [...node.quasis.map(({ value }: Node) => words(value.cooked)), ...node.expressions.map(of)] }
      case 'BinaryExpression':
        return { all: [of(node.left), of(node.right)] }
      case 'LogicalExpression':
        return node.operator === '&&' ? of(node.right) : { one: [of(node.left), of(node.right)] }
      case 'ConditionalExpression':
        return { one: [of(node.consequent), of(node.alternate)] }
      case 'ArrayExpression':
        return { one: node.elements.map(of) }
      case 'ObjectExpression':
        return { one: node.properties.map(({ value }: Node) => of(value ?? null)) }
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        return of(node.expression)
      case 'ArrowFunctionExpression':
      case 'FunctionDeclaration':
        return node.body.type === 'BlockStatement'
          ? { one: node.body.body.map((part: Node) => (part.type === 'ReturnStatement' ? of(part.argument) : [])) }
          : of(node.body)
      case 'CallExpression':
        return node.callee.name === 'cx' ? { all: node.arguments.map(of) } : of(node.callee)
      case 'MemberExpression': {
        const owner = componentAround(source, within)
        if (!node.computed && owner && isRest(owner.node, node.object.name, node.property.name))
          return passedTo(owner.key, node.property.name, seen)
        return of(node.object)
      }
      case 'Identifier': {
        const owner = componentAround(source, within)
        const prop = owner && propOf(owner.node, node.name)
        if (owner && prop) return passedTo(owner.key, prop, seen)
        const key = resolve(source, node.name)
        const from = sources.get(key.slice(0, key.lastIndexOf(':')))
        const name = key.slice(key.lastIndexOf(':') + 1)
        if (!from || seen.has(key)) return []
        return { one: (from.named.get(name) ?? []).map((value) => listOf(value, from, [], new Set([...seen, key]))) }
      }
      default:
        return []
    }
  }

  const conflicts = roots.flatMap(({ value, source, within }) =>
    conflictsIn(listOf(value, source, within, new Set())).map((pair) => `${source.file}: ${pair}`),
  )
  return { lists: roots.length, conflicts: [...new Set(conflicts)] }
}

function walk(node: Node, within: Node[], visit: (node: Node, within: Node[]) => void): void {
  visit(node, within)
  const inside = /Function/.test(node.type) ? [...within, node] : within
  for (const part of Object.values(node).flat()) if (part && typeof part.type === 'string') walk(part, inside, visit)
}

/** The pattern that destructures a component's props, in its parameters or in its first line. */
function propsOf({ params: [props], body }: Node): Node | undefined {
  if (props?.type !== 'Identifier' || body.type !== 'BlockStatement') return props
  const declared: Node[] = body.body.flatMap(({ declarations }: Node) => declarations ?? [])
  return declared.find(({ id, init }) => id.type === 'ObjectPattern' && init?.name === props.name)?.id ?? props
}

/** The prop that a name in the pattern refers to: `className` for `{ className: own, ...rest }` and `own`. */
function propOf(component: Node, name: string): string | null {
  const parts: Node[] = propsOf(component)?.properties ?? []
  return parts.find(({ value }) => (value?.left ?? value)?.name === name)?.key.name ?? null
}

function isRest(component: Node, name: string | undefined, prop: string): boolean {
  const props = propsOf(component)
  if (props?.type === 'Identifier') return props.name === name
  const rest = props?.properties?.find(({ type }: Node) => type === 'RestElement')
  return rest !== undefined && rest.argument.name === name && !props?.properties.some(({ key }: Node) => key?.name === prop)
}

const words = (text: string) => text.split(/\s+/).filter(Boolean)

function wordsIn(list: List): string[] {
  return Array.isArray(list) ? list : ('all' in list ? list.all : list.one).flatMap(wordsIn)
}

function conflictsIn(list: List): string[] {
  if (!Array.isArray(list) && 'one' in list) return list.one.flatMap(conflictsIn)
  const parts: List[] = Array.isArray(list) ? list.map((word) => [word]) : list.all
  const within = Array.isArray(list) ? [] : parts.flatMap(conflictsIn)
  const sets = parts.map((part) => [...new Set(wordsIn(part))])
  const between = sets.flatMap((earlier, i) =>
    earlier.flatMap((a) => sets.slice(i + 1).flatMap((later) => later.filter((b) => a !== b && gives(a, b)).map((b) => `${a}, ${b}`))),
  )
  return [...within, ...between]
}

const known = new Map<string, boolean>()
function gives(a: string, b: string): boolean {
  const pair = `${a} ${b}`
  let found = known.get(pair)
  if (found === undefined) {
    found = merge(pair) !== pair
    known.set(pair, found)
  }
  return found
}
