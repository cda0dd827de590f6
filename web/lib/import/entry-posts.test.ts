import { describe, expect, test } from 'vitest'
import { markdownOfRichText } from './day-one-rich-text.ts'
import { decodeEntities } from './entities.ts'
import { titleAndBody, titleAndHtml } from './entry-posts.ts'

const when = { date: '2024-05-03T12:00:00Z', dateZone: 'UTC' }

test('Entities become their characters, and words that are none stay, whatever JavaScript knows by that name', () => {
  expect(decodeEntities('&lt;3 &amp;amp; &#39;a&#x27; &quot;&nbsp;&apos;')).toBe(`<3 &amp; 'a' " '`)
  const unknown = '&constructor; &toString; &__proto__; &hasOwnProperty; &moss;'
  expect(decodeEntities(unknown)).toBe(unknown)
  expect(titleAndBody('# &constructor; &amp; tea', when).title).toBe('&constructor; & tea')
  expect(titleAndHtml('<p>Tom &amp; Ann&#39;s</p>', when).title).toBe("Tom & Ann's")
})

test('Links and marks are not part of a title', () => {
  expect(titleAndBody('# A *long* [walk](https://example.org/a_(b)) \\*', when).title).toBe('A long walk *')
})

describe('Long texts are read at once', () => {
  // Where time grows with the square of the length, these take minutes.
  const many = 400_000
  test.each(['[', '[a](', '*a', '\\', '&', '<', '# '])('a heading of %j', (piece) => {
    const { title, body } = titleAndBody(`# ${piece.repeat(many / piece.length)}\nWords`, when)
    expect(title.length).toBeLessThan(1_000)
    expect(body).toBe('<p>Words</p>')
  })

  test('blanks in what Day One formats', () => {
    const text = `a${' '.repeat(many)}b`
    const contents = [{ text, attributes: { bold: true } }]
    expect(markdownOfRichText({ contents })).toBe(`**${text}**`)
    expect(markdownOfRichText({ contents: [{ text: ` ${text}\t`, attributes: { bold: true } }] })).toBe(` **${text}**\t`)
  })
})
