import { expect, test } from 'vitest'
import { ActionError, named } from './action-error.ts'
import { ApiError } from './api.ts'

const failed = (sentence: string, cause: unknown, reasonAtEnd = false) =>
  named(sentence, Promise.reject(cause), reasonAtEnd).then(
    () => null,
    (error: unknown) => error,
  )
const CUT = new ApiError('offline', 'No connection.')

test('A successful action returns its result', async () => {
  expect(await named('Failed to update theme', Promise.resolve('sky'))).toBe('sky')
})

test('A message may end with the reason, and the detail is empty then', async () => {
  expect(await failed('Failed to update theme', CUT, true)).toMatchObject({
    name: 'ActionError',
    message: 'Failed to update theme: No connection.',
    detail: '',
    cause: CUT,
  })
})

test('Otherwise the reason is the detail', async () => {
  expect(await failed('Failed to delete collection', CUT)).toMatchObject({
    message: 'Failed to delete collection',
    detail: 'No connection.',
  })
})

test('A failed response without an error message gives no reason', async () => {
  const unreadable = new ApiError('unreadable', 'The answer could not be read.')
  expect(await failed('Failed to update profile', unreadable, true)).toMatchObject({ message: 'Failed to update profile', detail: '' })
})

test('A reason with special characters is inserted unchanged', () => {
  expect(new ActionError('Failed to update theme', new Error("$& $' {reason}"), true).message).toBe(
    "Failed to update theme: $& $' {reason}",
  )
})

test('Field errors are passed on, and a thrown value that is no Error still has a message', () => {
  const fields = { name: 'Choose a shorter name' }
  expect(new ActionError('Failed to create collection', new ApiError('invalid', 'Check the form', { fields })).fields).toEqual(fields)
  expect(new ActionError('Failed to create collection', 'odd')).toMatchObject({ fields: {}, detail: 'Something went wrong. Try again.' })
})
