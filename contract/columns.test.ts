import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnsOf } from './columns.ts'
import { CollectionLink } from './paging.ts'
import { z } from './zod.ts'

const Item = z.object({
  user_id: z.string(),
  user_name: z.string(),
  people: z.array(z.uuid()),
  collections: z.array(CollectionLink),
  id: z.uuid(),
  alt: z.string().nullable(),
})
const Items = columnsOf(Item)

const author = fc.constantFrom({ id: 'ada', name: 'Ada' }, { id: 'bob', name: '庭' })
const item = fc.record({
  author,
  people: fc.array(fc.uuid({ version: 7 }), { maxLength: 3 }),
  links: fc.array(fc.record({ collection_id: fc.uuid({ version: 7 }), user_id: fc.constantFrom('ada', 'eve'), added_at: fc.string() }), {
    maxLength: 3,
  }),
  id: fc.uuid({ version: 7 }),
  alt: fc.option(fc.string()),
})
const items = fc
  .array(item)
  .map((all) => all.map(({ author: { id, name }, links, ...fields }) => ({ ...fields, user_id: id, user_name: name, collections: links })))

/** The compact form, as the server writes it. */
function columns(rows: z.infer<typeof Item>[]) {
  const users = [
    { id: 'ada', name: 'Ada' },
    { id: 'eve', name: null },
    { id: 'bob', name: '庭' },
  ]
  const userOf = (id: string) => users.findIndex((user) => user.id === id)
  const links = rows.flatMap((row, at) => row.collections.map((link) => ({ ...link, at })))
  const people = rows.flatMap((row, at) => row.people.map((id) => ({ id, at })))
  const collections = [...new Set(links.map(({ collection_id }) => collection_id))]
  return {
    fields: { id: rows.map(({ id }) => id), alt: rows.map(({ alt }) => alt) },
    user: rows.map(({ user_id }) => userOf(user_id)),
    users,
    collections,
    links: {
      item: links.map(({ at }) => at),
      collection: links.map(({ collection_id }) => collections.indexOf(collection_id)),
      user: links.map(({ user_id }) => userOf(user_id)),
      added_at: links.map(({ added_at }) => added_at),
    },
    people: { item: people.map(({ at }) => at), id: people.map(({ id }) => id) },
  }
}

test('The compact form of any items parses into these items, with their fields in the same order', () => {
  fc.assert(
    fc.property(items, (rows) => {
      expect(JSON.stringify(Items.parse(columns(rows)))).toBe(JSON.stringify(z.array(Item).parse(rows)))
    }),
  )
})

test('Columns that lack values, or have values that the items may not have, are refused', () => {
  const id = '01a21ab7-c3a0-743e-a72d-117b33ecde23'
  const link = { collection_id: id, user_id: 'eve', added_at: '' }
  const whole = columns([{ id, alt: null, user_id: 'ada', user_name: 'Ada', people: [id], collections: [link] }])
  expect(Items.safeParse(whole).success).toBe(true)
  const { fields, links, people } = whole
  for (const wrong of [
    { fields: { ...fields, alt: [] } },
    { fields: { ...fields, alt: [1] } },
    { fields: { id: fields.id } },
    { fields: { ...fields, id: ['x'] } },
    { user: [3] },
    { user: [0, 0] },
    { user: [-1] },
    { links: { ...links, collection: [1] } },
    { links: { ...links, user: [3] } },
    { links: { ...links, added_at: [] } },
    { people: { ...people, id: [] } },
    { people: { ...people, item: [1] } },
    { links: { ...links, item: [1] } },
    { users: [{ id: 'ada', name: null }] },
  ])
    expect(Items.safeParse({ ...whole, ...wrong }).success, JSON.stringify(wrong)).toBe(false)
})
