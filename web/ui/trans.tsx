import { cloneElement, createElement, Fragment, type ReactElement, type ReactNode } from 'react'
import { piecesOf, type Said } from '#language'

const TAG = /<(\/?)(\d+)(\/?)>/

/** A sentence with elements, which its text has as `<0>…</0>` or `<0/>`. The build replaces the macros `Trans` and `Plural` by this. */
export function Trans({ components = {}, ...said }: Said & { components?: Readonly<Record<string, ReactElement>> }): ReactNode {
  const open: { name: string; inside: ReactNode[] }[] = [{ name: '', inside: [] }]
  const add = (node: ReactNode) => {
    const inside = open.at(-1)?.inside
    // Chromium leaves a space that is a node of its own out of some names for screen readers.
    if (typeof node === 'string' && typeof inside?.at(-1) === 'string') inside.push(inside.pop() + node)
    else inside?.push(node)
  }
  const close = () => {
    const { name, inside } = open.pop() ?? { name: '', inside: [] }
    add(cloneElement(components[name] ?? createElement(Fragment), undefined, ...inside))
  }
  for (const piece of piecesOf(said)) {
    if (typeof piece !== 'string') {
      add(piece.value as ReactNode)
      continue
    }
    const [start, ...tags] = piece.split(TAG)
    add(start)
    for (let at = 0; at < tags.length; at += 4) {
      const [end, name = '', empty, after] = tags.slice(at, at + 4)
      if (!end) open.push({ name, inside: [] })
      if ((end || empty) && open.length > 1) close()
      add(after)
    }
  }
  while (open.length > 1) close()
  return createElement(Fragment, null, ...(open[0]?.inside ?? []))
}
