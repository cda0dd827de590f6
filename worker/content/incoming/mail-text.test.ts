import { describe, expect, test } from 'vitest'
import { answerMark } from '../mail-address.ts'
import { isForward, paragraphsOf, titleAndBody, writtenHtml, writtenText } from './mail-text.ts'

describe('the text that somebody wrote', () => {
  test.each([
    ['Yes!\n\nOn Sat, 28 Nov 2026 at 10:00, Cairn <c@example.org> wrote:\n> News\n> more', 'Yes!'],
    ['Yes!\n\nAm 28.11.26 um 10:00 schrieb Cairn:\n\n> News', 'Yes!'],
    ['See:\n\nCairn <c@example.org> wrote:\n> News', 'See:'],
    ['Packing list:\n> bread\n> tea', 'Packing list:'],
    ['> News\nMine', 'Mine'],
    ['Yes!\n\n-----Original Message-----\nFrom: Cairn <c@example.org>\nSent: today\n\nNews', 'Yes!'],
    ['Ja!\n\n________________________________\nVon: Cairn\nGesendet: heute\n\nNeues', 'Ja!'],
    ['Above\n________________________________\nbelow', 'Above\n________________________________\nbelow'],
    [`Yes!\n\n${answerMark()}\nNews`, 'Yes!'],
    ['Yes!\n-- \nAda\n\nOn 28 Nov 2026, Cairn wrote:\n> News', 'Yes!'],
    ['a\r\nb\u0000\ud800', 'a\nb\ufffd'],
  ])('In the answer %j it is %j', (text, written) => {
    expect(writtenText(text, true)).toBe(written)
  })

  test('A mail that is no answer keeps its quotes and loses its signature', () => {
    expect(writtenText('> To be\n\n-- \nWill', false)).toBe('> To be')
    expect(writtenHtml('<p>a</p><blockquote type="cite">b</blockquote>', false)).toContain('b')
  })

  test.each([
    '<p>a</p><blockquote class=x type=cite>b',
    '<p>a</p><div dir="ltr" class="gmail_quote gmail_quote_container">b',
    '<p>a</p><div id="appendonsend"></div>b',
    '<p>a</p><DIV id=divRplyFwdMsg>b',
    `<p>a</p>${answerMark()}b`,
  ])('Of the HTML %s what is quoted is cut', (html) => {
    expect(writtenHtml(html, true)).toBe('<p>a</p>')
  })

  test('HTML that never ends a tag is read in a moment', () => {
    expect(writtenHtml('<div class='.repeat(100_000), true)).toHaveLength(1_100_000)
  })
})

test.each([
  ['Fwd: Garden', true],
  ['Re: WG: Garden', true],
  ['Re: Garden', false],
  ['Forward: march', false],
])('The subject %s is that of a mail passed on: %s', (subject, is) => {
  expect(isForward(subject)).toBe(is)
})

test('Paragraphs are escaped, and single line breaks stay', () => {
  expect(paragraphsOf('a <b>\nc\n \n\nd & e')).toBe('<p>a &lt;b&gt;<br>c</p><p>d &amp; e</p>')
})

test('A subject that is too long stands in the text as well', () => {
  const { title, body } = titleAndBody('x'.repeat(250), { text: 'a', html: null })
  expect([title.length, body]).toEqual([200, `<p>${'x'.repeat(250)}</p><p>a</p>`])
})
