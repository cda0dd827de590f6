import { expect, test } from 'vitest'
import { paragraphsOf } from './sanitize.ts'

test('Plain text becomes paragraphs with escaped markup', () => {
  expect(paragraphsOf('One\ntwo\n\n \nThree')).toBe('<p>One<br>two</p><p>Three</p>')
  expect(paragraphsOf('<script>alert("x")</script> & co')).toBe('<p>&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; co</p>')
  expect(paragraphsOf(' \n ')).toBe('')
})
