import type { z } from 'zod'

const TYPES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const FORMATS: Record<string, string> = {
  uuid: 'This is not an id',
  email: 'This does not look like an e-mail address',
  url: 'This is not an address of a website',
  datetime: 'Use a date and time such as 2026-05-01T10:30:00+02:00',
  date: 'Use a date such as 2026-05-01',
  base64: 'Send this in base64',
}

/** Default sentences for refused values. zod's own texts are for developers and must never be shown. */
export function sentenceOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This is missing' : `This must be ${TYPES[issue.expected] ?? 'of another type'}`
    case 'invalid_value':
      return issue.input === undefined ? 'This is missing' : choices(issue.values.map(String))
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'This has the wrong format'
    case 'too_small':
      return bound(issue.origin, 'at least', Number(issue.minimum))
    case 'too_big':
      return bound(issue.origin, 'at most', Number(issue.maximum))
    case 'unrecognized_keys':
      return 'This field is not known'
    case 'not_multiple_of':
      return `This must be a multiple of ${issue.divisor}`
    default:
      return 'This is not valid'
  }
}

function bound(origin: string, words: 'at least' | 'at most', limit: number): string {
  if (origin === 'string') return limit === 1 && words === 'at least' ? 'This must not be empty' : `Use ${words} ${limit} characters`
  if (origin === 'array') return limit === 1 && words === 'at least' ? 'Choose at least one' : `Choose ${words} ${limit}`
  return `This must be ${words} ${limit}`
}

/** More are not listed. */
const MAX_CHOICES = 20

function choices(names: string[]): string {
  if (names.length > MAX_CHOICES) return 'This is not one of the choices'
  return `Choose ${names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`}`
}
