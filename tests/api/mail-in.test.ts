import { test as base, expect } from 'vitest'
import { jpegLike } from '../support/files.ts'
import { send } from '../support/mail-in.ts'
import { type World, world } from '../support/world.ts'

const test = base.extend('w', () => world({ amy: 'admin', wes: 'write', rita: 'read', mallory: null }))

const path = (w: World) => `/api/collections/${w.collection.id}/mail`

/** Turns posts by mail on, and looks at the address as each of these members. */
async function turnOn(w: World, ...names: string[]): Promise<string> {
  const { body } = await w.as('amy').put(path(w))
  for (const name of names) await w.as(name).get(path(w))
  return body.address
}
const postsIn = async (w: World) => (await w.as('rita').get(`/api/post?collection_id=${w.collection.id}`)).body.posts

test('A mail of a writer becomes a post with its photo', async ({ w }) => {
  const to = await turnOn(w, 'wes')
  const photo = jpegLike()
  expect(
    await send({
      from: w.as('wes').email,
      to,
      subject: 'First snow',
      text: 'It is white.\n\nAll of it.',
      parts: [{ type: 'image/jpeg', name: 'snow.jpg', bytes: photo }],
    }),
  ).toBeNull()
  expect(await postsIn(w)).toMatchObject([
    {
      type: 'note',
      title: 'First snow',
      body: '<p>It is white.</p><p>All of it.</p>',
      user_id: w.as('wes').id,
      assets: [{ name: 'snow.jpg', type: 'image/jpeg' }],
    },
  ])
})
