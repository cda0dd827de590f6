import { parseAst } from 'vite'

/** A text for people that is in no catalogue. */
export interface Uncaught {
  line: number
  text: string
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>

/** Attributes and properties whose text people read or hear, whatever it looks like. */
const READ =
  /^(title|alt|label|placeholder|hint|lead|action|message|foot|confirm|description|aria-(label|description|roledescription|valuetext|placeholder))$/
/** Attributes that never hold such a text. */
const UNREAD = /^(className|class|style|id|key|href|to|d|viewBox|path|transform|rel|type|method|role|data-.*|sizes|srcSet|src)$/
/** Functions whose texts only developers read. */
const FOR_DEVELOPERS = /^(console\.\w+|warn|Error|TypeError|RangeError|SetupError|invariant|cx|sql|css)$/
/** Properties whose texts describe the API, in English. */
const FOR_DOCS = /^summary$/
const MACROS = /^(t|msg|plural|Trans|Plural)$/
const TYPES =
  /^(ImportDeclaration|ExportAllDeclaration|TS(InterfaceDeclaration|TypeAliasDeclaration|TypeAnnotation|TypeParameterInstantiation))$/

/** Texts as people read them: words that begin with a capital, and no code. */
const isSentence = (text: string) =>
  /^[“‘(…]?\p{Lu}\P{Lu}*\p{Ll}/u.test(text) && !/[{};=<>\\_]|:\/\/|^\p{L}\w*[:/.]\S|^\p{Lu}\p{Ll}+\p{Lu}/u.test(text)
const hasWord = (text: string) => /\p{L}{2}/u.test(text)

/** Finds the texts of a source file that people would read in English whatever their language. */
export function uncaughtTexts(code: string, file: string): Uncaught[] {
  const found: Uncaught[] = []
  const add = (node: Node, text: string) => {
    found.push({ line: code.slice(0, node.start).split('\n').length, text: text.replace(/\s+/g, ' ').trim() })
  }
  const source = (node: unknown) => (isNode(node) ? code.slice(node.start, node.end) : '')
  const visitAll = (node: Node) => {
    for (const child of Object.values(node)) visit(child)
  }

  function visit(node: unknown): void {
    if (Array.isArray(node)) for (const one of node) visit(one)
    if (!isNode(node) || TYPES.test(node.type)) return
    const { type, value } = node
    if (type === 'JSXElement' && MACROS.test(source((node.openingElement as Node).name))) visitValues(node)
    else if (type === 'JSXText') {
      if (hasWord(String(value))) add(node, String(value))
    } else if (type === 'JSXAttribute') {
      const name = source(node.name)
      if (UNREAD.test(name)) return
      if (READ.test(name) && isNode(value) && value.type === 'Literal' && hasWord(String(value.value))) add(value, String(value.value))
      else visit(value)
    } else if (type === 'TaggedTemplateExpression' && FOR_DEVELOPERS.test(source(node.tag))) return
    else if (type === 'TaggedTemplateExpression' && MACROS.test(source(node.tag))) visitValues(node)
    else if (/^(Call|New)Expression$/.test(type) && FOR_DEVELOPERS.test(source(node.callee))) return
    else if (type === 'CallExpression' && source(node.callee).endsWith('.describe')) visit(node.callee)
    else if (type === 'CallExpression' && MACROS.test(source(node.callee))) visitValues(node)
    else if (type === 'Property') {
      if (!FOR_DOCS.test(source(node.key))) visit(value)
    } else if (type === 'Literal') {
      if (typeof value === 'string' && isSentence(value)) add(node, value)
    } else if (type === 'TemplateLiteral') {
      const texts = (node.quasis as { value: { cooked: string } }[]).map((quasi) => quasi.value.cooked)
      if (isSentence(texts.join('0')) || texts.slice(1).some((text) => /^ \p{Ll}{2,} /u.test(text))) add(node, source(node))
      visit(node.expressions)
    } else visitAll(node)
  }

  /** Values of a sentence may be texts themselves: `<Trans>Open {isNew ? 'Now' : 'Later'}</Trans>`. */
  function visitValues(node: unknown): void {
    if (Array.isArray(node)) for (const one of node) visitValues(one)
    if (!isNode(node)) return
    if (/^(Conditional|Logical)Expression$/.test(node.type)) visit(node)
    else for (const child of Object.values(node)) visitValues(child)
  }

  visit(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  return found
}

const isNode = (node: unknown): node is Node => typeof node === 'object' && node !== null && 'type' in node
