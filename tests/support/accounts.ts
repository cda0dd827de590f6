import { inject } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { Client } from '../../dev/http-client.ts'
import { PASSWORD, register } from './world.ts'

/** A browser without cookies. */
export const browser = () => new Client(inject('stack').origin)
export const newAddress = () => `p-${newId().slice(-12)}@example.org`

/** An account without a session. */
export async function account() {
  const person = await register('eve')
  return { id: person.id, email: person.email }
}

export async function signIn(email: string, password = PASSWORD) {
  const client = browser()
  return { client, ...(await client.post('/api/auth/sign-in', { email, password })) }
}
