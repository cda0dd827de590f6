import { expect, test } from 'vitest'
import { partsOf } from './text.ts'

const marked = (text: string, names: string[] = []) =>
  partsOf(text, names)
    .map(({ kind, text }) => (kind === 'text' ? text : kind === 'link' ? `<${text}>` : `[${text}]`))
    .join('')

test('Addresses of the web are links, without the punctuation of the sentence', () => {
  expect(marked('See https://example.org/a?b=1, or (http://example.org).')).toBe(
    'See <https://example.org/a?b=1>, or (<http://example.org>).',
  )
  expect(marked('https://en.wikipedia.org/wiki/Cairn_(stones)!')).toBe('<https://en.wikipedia.org/wiki/Cairn_(stones)>!')
  expect(marked('“https://example.org”')).toBe('“<https://example.org>”')
})

test('Addresses that could run something are text', () => {
  for (const text of ['javascript:alert(1)', 'data:text/html,x', 'ftp://example.org', 'https://', 'mailto:a@example.org'])
    expect(marked(text)).toBe(text)
})

test('Only the names of mentioned people are mentions, the longest first', () => {
  expect(marked('@Anna Maria and @Anna, not @Annabel or @Bob', ['Anna', 'Anna Maria'])).toBe(
    '[@Anna Maria] and [@Anna], not @Annabel or @Bob',
  )
  expect(marked('@C++ (x) @', ['C++ (x)'])).toBe('[@C++ (x)] @')
  expect(marked('شكرا @ليلى!', ['ليلى'])).toBe('شكرا [@ليلى]!')
})

test('The parts joined are the text', () => {
  const text = 'a @Bo https://example.org/@Bo\n\nb'
  expect(
    partsOf(text, ['Bo'])
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
  expect(partsOf('', [])).toEqual([])
})
