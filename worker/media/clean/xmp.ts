import { textOf } from './source.ts'

/**
 * Namespaces of what programs need to show a picture: where its gain map, its film and its other parts are, and how a panorama is projected. Of the
 * camera's only some fields. All else may tell a place, in fields of its own, in keywords or in the history of edits.
 */
const KEPT: readonly [uri: string, names?: RegExp][] = [
  ['adobe:ns:meta/', /^xmpmeta$/],
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#'],
  ['http://www.w3.org/XML/1998/namespace'],
  ['http://ns.adobe.com/hdr-gain-map/1.0/'],
  ['http://ns.apple.com/HDRGainMap/1.0/'],
  ['http://ns.apple.com/pixeldatainfo/1.0/'],
  ['http://ns.google.com/photos/1.0/container/'],
  ['http://ns.google.com/photos/1.0/container/item/'],
  ['http://ns.google.com/photos/1.0/camera/', /^(MotionPhoto|MicroVideo)/],
  ['http://ns.google.com/photos/1.0/panorama/'],
]
const MAX_DEPTH = 32

const TAG = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const ATTRIBUTE = /\s+([\w:.-]+)\s*=\s*("[^"<]*"|'[^'<]*')/gy
const PACKET =
  /<\?xpacket (?:begin|end)=(?:"[^"]{0,4}"|'[^']{0,4}')(?: id="W5M0MpCehiHzreSzNTczkc9d"| id='W5M0MpCehiHzreSzNTczkc9d')?\s*\?>/y
const DECLARATION = /<\?xml version=["']1\.0["'](?: encoding=["']UTF-8["'])?\s*\?>/iy

/** The packet with spaces in place of all but what KEPT has, of the same length. Spaces alone if it cannot be read. */
export function cleanXmp(packet: Uint8Array): Uint8Array {
  const text = textOf(packet)
  const out = new Uint8Array(packet.length).fill(0x20)
  try {
    for (const [start, end] of keptIn(text)) out.set(packet.subarray(start, end), start)
    return out
  } catch {
    return new Uint8Array(packet.length).fill(0x20)
  }
}

class Unreadable extends Error {}

/** Prefixes and their namespaces. One that is declared with two of them cannot be trusted. */
function prefixesIn(text: string): Map<string, string> {
  const prefixes = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']])
  for (const [, prefix = '', quoted = ''] of text.matchAll(/\sxmlns:([\w.-]+)\s*=\s*("[^"<]*"|'[^'<]*')/g)) {
    const uri = quoted.slice(1, -1)
    if ((prefixes.get(prefix) ?? uri) !== uri) throw new Unreadable()
    prefixes.set(prefix, uri)
  }
  return prefixes
}

type Kept = [start: number, end: number]

function keptIn(text: string): Kept[] {
  const prefixes = prefixesIn(text)
  const isKept = (name: string) => {
    const [prefix = '', local = ''] = name.split(':', 2)
    const known = KEPT.find(([uri]) => uri === prefixes.get(prefix))
    return known !== undefined && known[1]?.test(local) !== false
  }
  const kept: Kept[] = []
  const open: { name: string; kept: boolean }[] = []
  let rooted = false
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('<', at)
    const inside = open.at(-1)
    // Text beside the root is no part of a document.
    if (inside?.kept) kept.push([at, next < 0 ? text.length : next])
    if (next < 0) break
    const whole = matchAt(PACKET, text, next) ?? matchAt(DECLARATION, text, next)
    if (whole) {
      if (open.length > 0) throw new Unreadable()
      kept.push([next, next + whole[0].length])
      at = next + whole[0].length
      continue
    }
    const tag = matchAt(TAG, text, next)
    if (!tag) {
      at = endOfComment(text, next)
      continue
    }
    const [all, closing, name = '', attributes = '', empty] = tag
    at = next + all.length
    if (closing) {
      if (inside?.name !== name || attributes) throw new Unreadable()
      open.pop()
      if (inside.kept) kept.push([next, at])
      continue
    }
    if (open.length === 0 && rooted) throw new Unreadable()
    rooted = true
    const keeps = (inside?.kept ?? true) && isKept(name)
    if (keeps) kept.push(...keptOfTag(tag, next, isKept))
    if (!empty) open.push({ name, kept: keeps })
    if (open.length > MAX_DEPTH) throw new Unreadable()
  }
  if (open.length > 0) throw new Unreadable()
  return kept
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Comments are left out. Types of documents, CDATA and instructions are not in the XMP of cameras. */
function endOfComment(text: string, at: number): number {
  const end = text.startsWith('<!--', at) ? text.indexOf('-->', at) : -1
  if (end < 0) throw new Unreadable()
  return end + 3
}

/** Its name, and those of its attributes that are kept. */
function keptOfTag([all, , name = '', attributes = '']: RegExpExecArray, at: number, isKept: (name: string) => boolean): Kept[] {
  const from = at + 1 + name.length
  const kept: Kept[] = [
    [at, from],
    [from + attributes.length, at + all.length],
  ]
  for (const { 0: whole, 1: attribute = '', index } of attributes.matchAll(ATTRIBUTE)) {
    if (attribute.startsWith('xmlns:') || isKept(attribute)) kept.push([from + index, from + index + whole.length])
  }
  return kept
}
