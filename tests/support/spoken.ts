import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { say } from '../../contract/language/sentence.ts'
import { translationsOf } from '../../dev/language/catalogues.ts'
import { compiledSentence } from '../../dev/language/plugin.ts'

/** Translates an English sentence, written as in language/en.po. Throws if it has no translation. */
export async function spoken(language: string) {
  const catalogue = await translationsOf(language, () => true)
  return (english: string, { context, ...values }: { context?: string } & Record<string, unknown> = {}): string => {
    const id = generateMessageId(english, context)
    if (!(id in catalogue)) throw new Error(`Not in the catalogue of ${language}: ${english}`)
    return say({ id, message: compiledSentence(english), values }, language, catalogue)
  }
}
