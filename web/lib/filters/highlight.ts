import { fold } from '../fold.ts'
import { findWord } from './text.ts'

/** Name in `::highlight()` of the styles. */
const NAME = 'found'

/** Highlights words in the text of elements without changing the elements. Returns a function that removes the highlights. */
export function markWords(elements: Iterable<Element>, words: readonly string[]): () => void {
  // Some browsers do not support it, and it is only decoration.
  if (words.length === 0 || typeof Highlight === 'undefined') return () => {}
  const marks = CSS.highlights.get(NAME) ?? new Highlight()
  CSS.highlights.set(NAME, marks)
  const ranges = [...elements].flatMap((element) => rangesIn(element, words))
  for (const range of ranges) marks.add(range)
  return () => {
    for (const range of ranges) marks.delete(range)
  }
}

function rangesIn(element: Element, words: readonly string[]): Range[] {
  const ranges: Range[] = []
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    for (const [start, end] of matchRanges(node.nodeValue ?? '', words)) {
      const range = new Range()
      range.setStart(node, start)
      range.setEnd(node, end)
      ranges.push(range)
    }
  }
  return ranges
}

/** Ranges where folded words begin words of a text, as offsets in the original text. */
export function matchRanges(text: string, words: readonly string[]): [start: number, end: number][] {
  let folded = ''
  // For each letter of the folded text, the start and end of its original letter.
  const from: [number, number][] = []
  let at = 0
  for (const letter of text) {
    const plain = fold(letter)
    folded += plain
    for (let i = 0; i < plain.length; i++) from.push([at, at + letter.length])
    at += letter.length
  }
  return words.flatMap((word) => {
    const ranges: [number, number][] = []
    for (let found = findWord(folded, word); found >= 0; found = findWord(folded, word, found + word.length)) {
      ranges.push([from[found]?.[0] ?? 0, from[found + word.length - 1]?.[1] ?? 0])
    }
    return ranges
  })
}
