import type { z } from 'zod'
import { listText, type Said, say } from '#language'
import { msg, plural, t } from '#say'

const TYPES: Record<string, Said> = {
  string: msg`This must be text`,
  number: msg`This must be a number`,
  int: msg`This must be a whole number`,
  boolean: msg`This must be true or false`,
  array: msg`This must be a list`,
  object: msg`This must be an object`,
  record: msg`This must be an object`,
  null: msg`This must be null`,
}
const OTHER_TYPE = msg`This must be of another type`

const FORMATS: Record<string, Said> = {
  uuid: msg`This is not an id`,
  email: msg`This does not look like an e-mail address`,
  url: msg`This is not an address of a website`,
  datetime: msg`Use a date and time such as 2026-05-01T10:30:00+02:00`,
  date: msg`Use a date such as 2026-05-01`,
  base64: msg`Send this in base64`,
}
const OTHER_FORMAT = msg`This has the wrong format`

/** Default sentences for refused values. zod's own texts are for developers and must never be shown. */
export function sentenceOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? t`This is missing` : say(TYPES[issue.expected] ?? OTHER_TYPE)
    case 'invalid_value':
      return issue.input === undefined ? t`This is missing` : choices(issue.values.map(String))
    case 'invalid_format':
      return say(FORMATS[issue.format] ?? OTHER_FORMAT)
    case 'too_small':
      return atLeast(issue.origin, Number(issue.minimum))
    case 'too_big':
      return atMost(issue.origin, Number(issue.maximum))
    case 'unrecognized_keys':
      return t`This field is not known`
    case 'not_multiple_of':
      return t`This must be a multiple of ${{ divisor: String(issue.divisor) }}`
    default:
      return t`This is not valid`
  }
}

/** Limits are written without separators, as they are sent. */
function atLeast(origin: string, count: number): string {
  const limit = String(count)
  if (origin === 'string')
    return count === 1
      ? t`This must not be empty`
      : t`${plural(count, { one: `Use at least ${limit} character`, other: `Use at least ${limit} characters` })}`
  if (origin === 'array') return count === 1 ? t`Choose at least one` : t`Choose at least ${limit}`
  return t`This must be at least ${limit}`
}

function atMost(origin: string, count: number): string {
  const limit = String(count)
  if (origin === 'string') return t`${plural(count, { one: `Use at most ${limit} character`, other: `Use at most ${limit} characters` })}`
  return origin === 'array' ? t`Choose at most ${limit}` : t`This must be at most ${limit}`
}

/** More are not listed. */
const MAX_CHOICES = 20

/** Names the values that a field may have. */
export function choices(names: readonly string[]): string {
  if (names.length > MAX_CHOICES) return t`This is not one of the choices`
  return t`Choose ${{ choices: listText(names, 'disjunction') }}`
}
