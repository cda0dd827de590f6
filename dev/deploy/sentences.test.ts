import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { databaseProblem } from './sentences.ts'

const ADDRESS = 'postgres://cairn:secret@db.example.org/cairn'
const refusal = (code: string, message: string) => Object.assign(new Error(message), { code })

test.each([
  ['28P01', 'refuses the password of cairn'],
  ['3D000', 'There is no database cairn at db.example.org'],
  ['42P07', 'refused: relation "x" already exists (42P07)'],
  ['ECONNREFUSED', 'cannot be reached (ECONNREFUSED)'],
])('An error %s of the database says what is wrong, also where the driver wraps it', (code, expected) => {
  const error = refusal(code, 'relation "x" already exists')
  for (const given of [error, new DrizzleQueryError('create table x', ['a value'], error)]) {
    const { message } = databaseProblem(ADDRESS, given)
    expect(message).toContain(expected)
    expect(message).not.toMatch(/secret|create table|a value/)
  }
})
