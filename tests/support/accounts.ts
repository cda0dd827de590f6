import { inject } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { Client } from '../../dev/http-client.ts'
import { mailedToken } from './mail.ts'
import { PASSWORD, register } from './world.ts'

/** A browser without cookies. */
export const browser = () => new Client(inject('stack').origin)
export const newAddress = () => `p-${newId().slice(-12)}@example.org`

/** A new account that has not confirmed its address, signed in, and the token of the link in its mail. */
export async function unconfirmed() {
  const [client, email] = [browser(), newAddress()]
  const { status } = await client.post('/api/auth/sign-up', { email, password: PASSWORD })
  if (status !== 201) throw new Error(`The account could not be made: ${status}`)
  return { client, email, token: await mailedToken(email, 'Confirm') }
}

/** An account without a session. */
export async function account() {
  const person = await register('eve')
  return { id: person.id, email: person.email }
}

export async function signIn(email: string, password = PASSWORD) {
  const client = browser()
  return { client, ...(await client.post('/api/auth/sign-in', { email, password })) }
}
