// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code as text
import { expect, test } from 'vitest'
import { withoutMacros } from './plugin.ts'

/** The sentence as the code that runs has it. */
async function compiled(sentence: string): Promise<unknown> {
  const { code } = await withoutMacros(`import { t } from '#say'\nexport const say = () => ${sentence}\n`, 'example.ts')
  return /message: (.*?),?$/m.exec(code)?.[1]
}

test.each([
  ['t`Close`', '"Close"'],
  ['t`Close ${name}`', '["Close ",["name"]]'],
  ['t`It begins with "${url.protocol}".`', '["It begins with \\"",["0"],"\\"."]'],
  ['t`It’s "${name}", isn\'t it?`', '["It’s \\"",["name"],"\\", isn\'t it?"]'],
  ['t`A line\\n and ${name}`', '["A line\\n and ",["name"]]'],
])('%s is compiled', async (sentence, message) => {
  expect(await compiled(sentence)).toBe(message)
})
