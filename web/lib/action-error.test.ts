import { expect, test } from 'vitest'
import { ActionError, named } from './action-error.ts'
import { ApiError } from './api.ts'

const failed = (sentence: string, cause: unknown) =>
  named(sentence, Promise.reject(cause)).then(
    () => null,
    (error: unknown) => error,
  )
const CUT = new ApiError('offline', 'No connection.')

test('what works is handed on', async () => {
  expect(await named('Failed to update theme: {error}', Promise.resolve('sky'))).toBe('sky')
})

test('a sentence that has room for the reason says it, and leaves nothing to add', async () => {
  expect(await failed('Failed to update theme: {error}', CUT)).toMatchObject({
    name: 'ActionError',
    message: 'Failed to update theme: No connection.',
    detail: '',
    cause: CUT,
  })
})

test('a sentence that has none leaves the reason to be said beside it', async () => {
  expect(await failed('Failed to delete collection', CUT)).toMatchObject({
    message: 'Failed to delete collection',
    detail: 'No connection.',
  })
})

test('an answer without success gives no reason', async () => {
  const unreadable = new ApiError('unreadable', 'The answer could not be read.')
  expect(await failed('Failed to update profile: {error}', unreadable)).toMatchObject({ message: 'Failed to update profile', detail: '' })
})

test('a reason is taken as it is written, whatever stands in it', () => {
  expect(new ActionError('Failed to update theme: {error}', new Error("$& $' {error}")).message).toBe(
    "Failed to update theme: $& $' {error}",
  )
})

test('what is wrong with a field goes beside it, and what is no error still has words', () => {
  const fields = { name: 'Choose a shorter name' }
  expect(new ActionError('Failed to create collection', new ApiError('invalid', 'Check the form', { fields })).fields).toEqual(fields)
  expect(new ActionError('Failed to create collection', 'odd')).toMatchObject({ fields: {}, detail: 'Something went wrong. Try again.' })
})
