import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { setLanguage } from '#language'
import { t } from '#say'
import { Plural, Trans } from '#say/react'
import { compiledSentence } from '../../dev/language/plugin.ts'
import { Trans as Drawn } from './trans.tsx'

afterEach(() => setLanguage('en', {}))

const html = renderToStaticMarkup

test('A sentence keeps its elements, and values are never markup', () => {
  const name = '</0><b>{1}</b><0>'
  expect(
    html(
      <p>
        <Trans>
          New here? <a href="/register">Create {name}</a>, or <br /> wait.
        </Trans>
      </p>,
    ),
  ).toBe('<p>New here? <a href="/register">Create &lt;/0&gt;&lt;b&gt;{1}&lt;/b&gt;&lt;0&gt;</a>, or <br/> wait.</p>')
})

test('Counts have their words, in texts and elements', () => {
  const count = 1_234
  expect(html(<Plural value={count} one="# photo" other="# photos" />)).toBe('1,234 photos')
  expect(
    html(
      <Trans>
        <b>{count}</b> in <Plural value={1} one="# album" other="# albums" />
      </Trans>,
    ),
  ).toBe('<b>1,234</b> in 1 album')
})

test('Words and spaces in a row are one text', () => {
  const sentence = (
    <Trans>
      <b>Ada</b> <Plural value={1} one="joined" other="have joined" /> <i>Kyoto</i>
    </Trans>
  )
  // Between two texts there would be a comment.
  expect(renderToString(sentence)).toBe('<b>Ada</b> joined <i>Kyoto</i>')
})

test('Another language has its own order of elements, and English what it lacks', () => {
  const said = { id: 'a', message: '', components: { 0: <b />, 1: <i /> } }
  setLanguage('de', { a: compiledSentence('<1>eins</1> vor <0>null') })
  expect(html(<Drawn {...said} />)).toBe('<i>eins</i> vor <b>null</b>')
  expect(html(<Drawn {...said} id="b" message={compiledSentence('<1>one</1></0>')} />)).toBe('<i>one</i>')
  expect(t`Only in English`).toBe('Only in English')
})
