type ClassValue = string | false | null | undefined | 0 | readonly ClassValue[]

/** Classes of which the last one wins, by what stands before their value. */
const GROUPS = new Set(
  'top right bottom left inset inset-x inset-y m mx my mt mr mb ml p px py pt pr pb pl size w h min-w min-h max-w max-h gap gap-x gap-y space-x space-y rounded rounded-l rounded-r rounded-t rounded-b z opacity overflow overflow-x overflow-y overscroll leading tracking cursor justify justify-items justify-self items self place-items place-content grid-cols grid-rows grid-flow auto-rows auto-cols col-start basis grow shrink order aspect object duration ease delay animate transition shadow underline-offset outline-offset decoration select pointer-events touch touch-pan-x touch-pan-y whitespace line-clamp columns scale rotate translate translate-x translate-y origin list scroll-m scroll-mt scroll-mb scroll-my scroll-px fill stroke accent via divide-x divide-y align appearance brightness backdrop-blur break-inside'.split(
    ' ',
  ),
)

/** Those that are whole words. */
const WORDS = new Map(
  Object.entries({
    display: 'block flex flow-root grid hidden inline inline-block inline-flex inline-grid contents table',
    position: 'static absolute fixed relative sticky',
    visibility: 'visible invisible',
    break: 'break-all break-words break-normal',
    'flex-direction': 'flex-row flex-col',
    'flex-wrap': 'flex-wrap flex-nowrap',
    'font-family': 'font-sans font-mono',
    'text-align': 'text-left text-center text-right',
    'text-wrap': 'text-balance text-pretty text-wrap text-nowrap',
    'bg-size': 'bg-cover bg-contain',
    'border-collapse': 'border-collapse',
    'border-style': 'border-solid border-dashed border-dotted',
    'outline-style': 'outline-none',
    'ring-inset': 'ring-inset',
    'text-overflow': 'truncate',
    'snap-type': 'snap-x snap-y snap-none',
    'snap-align': 'snap-start snap-center snap-end',
  }).flatMap(([group, words]) => words.split(' ').map((word) => [word, group] as const)),
)

/** Where the value says what is meant. */
const BY_VALUE: [prefix: string, value: RegExp, group: string][] = [
  ['text', /^(xs|sm|base|lg|\dxl|xl|\[[\d.])/, 'text-size'],
  ['text', /./, 'text-color'],
  ['font', /./, 'font-weight'],
  ['flex', /./, 'flex'],
  ['bg', /^linear-/, 'bg-image'],
  ['bg', /./, 'bg-color'],
  ['border', /^\d?$/, 'border-w'],
  ['border', /^[xytrbl](-\d)?$/, 'border-w-'],
  ['border', /./, 'border-color'],
  ['outline', /^\d?$/, 'outline-w'],
  ['outline', /./, 'outline-color'],
  ['ring', /^\d?$/, 'ring-w'],
  ['ring', /./, 'ring-color'],
  ['inset-ring', /^\d?$/, 'inset-ring-w'],
  ['inset-ring', /./, 'inset-ring-color'],
  ['content', /^\[/, 'content'],
  ['content', /./, 'align-content'],
  ['from', /^\[/, 'from-position'],
  ['from', /./, 'from-color'],
  ['to', /^\[/, 'to-position'],
  ['to', /./, 'to-color'],
  ['col', /^(span-|auto)/, 'col'],
  ['row', /^(span-|auto)/, 'row'],
]

/** Groups of which a class of this one leaves nothing: `p-4` after `px-2`. */
const COVERS: Record<string, string> = {
  inset: 'inset-x inset-y top right bottom left',
  'inset-x': 'left right',
  'inset-y': 'top bottom',
  m: 'mx my mt mr mb ml',
  mx: 'ml mr',
  my: 'mt mb',
  p: 'px py pt pr pb pl',
  px: 'pl pr',
  py: 'pt pb',
  size: 'w h',
  gap: 'gap-x gap-y',
  overflow: 'overflow-x overflow-y',
  rounded: 'rounded-l rounded-r rounded-t rounded-b',
  'border-w': 'border-w-x border-w-y border-w-t border-w-r border-w-b border-w-l',
  'border-w-x': 'border-w-l border-w-r',
  'border-w-y': 'border-w-t border-w-b',
  'text-size': 'leading',
  flex: 'basis grow shrink',
  'line-clamp': 'display overflow',
  translate: 'translate-x translate-y',
  'scroll-m': 'scroll-mt scroll-mb scroll-my',
  'scroll-my': 'scroll-mt scroll-mb',
  touch: 'touch-pan-x touch-pan-y',
  'touch-pan-x': 'touch',
  'touch-pan-y': 'touch',
}

const joined = new Map<string, string>()

/**
 * Joins class names; later ones win over earlier ones of the same kind, as `tailwind-merge` has it (cx.test.ts compares all that the
 * app uses): its table of everything that there is would be a twentieth of the first load.
 */
export function cx(...values: ClassValue[]): string {
  const text = flat(values)
  let result = joined.get(text)
  if (result === undefined) {
    result = merged(text)
    joined.set(text, result)
  }
  return result
}

function flat(values: readonly ClassValue[]): string {
  let text = ''
  for (const value of values) {
    const more = typeof value === 'object' && value !== null ? flat(value) : value
    if (more) text += text ? ` ${more}` : more
  }
  return text
}

function merged(text: string): string {
  const taken = new Set<string>()
  const kept: string[] = []
  for (const name of text.split(/\s+/).reverse()) {
    const at = variantsEnd(name)
    const group = groupOf(name.slice(at).replace(/^!|!$/, ''))
    const variants = name.slice(0, at) + (name.includes('!', at) ? '!' : '')
    if (name === '' || (group !== null && taken.has(variants + group))) continue
    kept.push(name)
    if (group === null) continue
    for (const each of [group, ...(COVERS[group]?.split(' ') ?? [])]) taken.add(variants + each)
  }
  return kept.reverse().join(' ')
}

/** After the last colon that is not inside of brackets. */
function variantsEnd(name: string): number {
  if (!name.includes(':')) return 0
  let depth = 0
  let end = 0
  for (let i = 0; i < name.length; i++) {
    if (name[i] === '[' || name[i] === '(') depth++
    else if (name[i] === ']' || name[i] === ')') depth--
    else if (name[i] === ':' && depth === 0) end = i + 1
  }
  return end
}

const groups = new Map<string, string | null>()

function groupOf(name: string): string | null {
  let group = groups.get(name)
  if (group === undefined) {
    group = findGroup(name)
    groups.set(name, group)
  }
  return group
}

function findGroup(name: string): string | null {
  const word = WORDS.get(name)
  if (word) return word
  // A property and its value.
  if (name.startsWith('[')) return name.slice(0, name.indexOf(':'))
  const plain = name.startsWith('-') ? name.slice(1) : name
  const [stem = ''] = plain.split(/[[(]/, 1)
  for (let end = stem.length; end > 0; end = stem.lastIndexOf('-', end - 1)) {
    const prefix = stem.slice(0, end)
    if (GROUPS.has(prefix)) return prefix
    const value = plain.slice(end + 1)
    const found = BY_VALUE.find(([of, values]) => of === prefix && values.test(value))
    if (found) return found[2] === 'border-w-' ? `border-w-${value[0]}` : found[2]
  }
  return null
}
