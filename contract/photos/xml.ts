import { parseXml, XmlElement, XmlText } from '@rgrove/parse-xml'

/** An element with the URI of its namespace before its name, as in `http://purl.org/dc/elements/1.1/title`. */
export interface XmlNode {
  name: string
  /** By URI and name; without the declarations of namespaces. */
  attributes: ReadonlyMap<string, string>
  children: readonly XmlNode[]
  /** The text directly in it. */
  text: string
}

/** Elements within elements; deeper nesting than this is not metadata. */
const MAX_DEPTH = 64

/**
 * The root of an XML document, or null where it is none. `known` are namespaces by prefix, for prefixes that the document does not declare.
 * Entities of a document type are not expanded.
 */
export function readXml(xml: string, known: Readonly<Record<string, string>> = {}): XmlNode | null {
  try {
    const { root } = parseXml(repaired(xml), { ignoreUndefinedEntities: true })
    return root && nodeOf(root, known, 0)
  } catch {
    return null
  }
}

/** Programs leave bytes around the document, control characters and single ampersands in it. */
function repaired(xml: string): string {
  const start = xml.indexOf('<')
  const end = xml.lastIndexOf('>')
  return xml
    .slice(Math.max(start, 0), end + 1)
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/&(?!#\d{1,7};|#x[\da-f]{1,6};|\w{1,31};)/gi, '&amp;')
}

function nodeOf(element: XmlElement, outer: Readonly<Record<string, string>>, depth: number): XmlNode | null {
  if (depth > MAX_DEPTH) return null
  const given = Object.entries(element.attributes)
  const spaces = { ...outer }
  for (const [name, uri] of given) if (/^xmlns(:|$)/.test(name)) spaces[name.slice(6)] = uri
  const full = (name: string, none: string) => {
    const [prefix, local] = name.includes(':') ? name.split(':', 2) : [none, name]
    return `${(prefix !== null && spaces[prefix ?? '']) || (prefix ? `${prefix}:` : '')}${local}`
  }
  return {
    name: full(element.name, ''),
    // An attribute without a prefix has no namespace.
    attributes: new Map(
      given.flatMap(([name, value]) => (/^xmlns(:|$)/.test(name) ? [] : [[name.includes(':') ? full(name, '') : name, value]])),
    ),
    children: element.children.flatMap((child) => (child instanceof XmlElement ? (nodeOf(child, spaces, depth + 1) ?? []) : [])),
    text: element.children.map((child) => (child instanceof XmlText ? child.text : '')).join(''),
  }
}
