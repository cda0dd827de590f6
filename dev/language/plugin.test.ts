import { expect, test } from 'vitest'
import { withoutMacros } from './plugin.ts'

/** What is left of a sentence in the code that runs. */
async function compiled(sentence: string): Promise<unknown> {
  const { code } = await withoutMacros(`import { t } from '#say'\nexport const say = () => ${sentence}\n`, 'example.ts')
  return /message: (.*?),?$/m.exec(code)?.[1]
}

test.each([
  ['t`Close`', '"Close"'],
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: code as text
  ['t`Close ${name}`', '["Close ",["name"]]'],
  ['t`It begins with "${url.protocol}".`', '["It begins with \\"",["0"],"\\"."]'],
  ['t`It’s "${name}", isn\'t it?`', '["It’s \\"",["name"],"\\", isn\'t it?"]'],
  ['t`A line\\n and ${name}`', '["A line\\n and ",["name"]]'],
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: code as text
])('%s is compiled', async (sentence, message) => {
  expect(await compiled(sentence)).toBe(message)
})
