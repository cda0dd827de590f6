import { plural, t } from '#say'
import type { LineWords, TextWords } from './text-words.ts'
import { z } from './zod.ts'

/** Created at the first use, because that takes milliseconds. */
let graphemes: Intl.Segmenter | undefined

/** Length in graphemes: an emoji family is one. Stops counting above `stop`. */
export function countCharacters(text: string, stop = Number.POSITIVE_INFINITY): number {
  if (text.length <= stop && !/[^\x20-\x7e]/.test(text)) return text.length
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  let count = 0
  for (const _ of graphemes.segment(text)) if (++count > stop) break
  return count
}

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** True for text that the database can store. */
export function isStorable(text: string): boolean {
  return !CONTROL.test(text) && !LONE_SURROGATE.test(text)
}

/** For the OpenAPI document: maxLength of JSON Schema counts code points. */
const counted = (max: number) => `At most ${max} characters, as a person counts them`

/** Text in NFC, without control characters, of at most `max` graphemes. */
export function text(max: number, words: TextWords) {
  return z
    .string()
    .refine(isStorable, { error: words.unstorable })
    .transform((s) => s.normalize('NFC'))
    .refine((s) => s.length <= max * 32 && countCharacters(s, max) <= max, { error: () => words.tooLong(max) })
    .describe(counted(max))
}

/** One line of text, not empty. Trims it and collapses white space. */
export function line(max: number, words: LineWords) {
  return z
    .string()
    .transform((s) => s.trim().replace(/\s+/g, ' '))
    .pipe(text(max, words))
    .refine((s) => s.length > 0, { error: words.empty })
    .describe(`${counted(max)}, and not empty`)
}

/** One line of text that may be empty. */
export function optionalLine(max: number, words: TextWords) {
  return z
    .string()
    .transform((s) => s.trim().replace(/\s+/g, ' '))
    .pipe(text(max, words))
    .describe(counted(max))
}

/** Normal form in which e-mail addresses are compared and stored: NFKC, lower case, no trailing dot. */
export function foldEmail(address: string): string {
  return address.trim().normalize('NFKC').toLowerCase().replace(/\.$/, '')
}

const NO_ADDRESS = { error: () => t`Enter an e-mail address` }

/** An e-mail address, folded. */
export const Email = z
  .string(NO_ADDRESS)
  .max(254, {
    error: () =>
      t`${plural({ count: 254 }, { one: 'An e-mail address has at most # character', other: 'An e-mail address has at most # characters' })}`,
  })
  .transform(foldEmail)
  .refine((s) => s !== '', NO_ADDRESS)
  .pipe(z.email())

/** Escapes text and quoted attributes of HTML and XML. Replaces runs at once, because a match for each of a million characters is slow. */
export function escapeHtml(text: string): string {
  return text
    .replace(/&+/g, (run) => '&amp;'.repeat(run.length))
    .replace(/<+/g, (run) => '&lt;'.repeat(run.length))
    .replace(/>+/g, (run) => '&gt;'.repeat(run.length))
    .replaceAll('"', '&quot;')
}
