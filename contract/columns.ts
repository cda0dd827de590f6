import { Id, UserId } from './ids.ts'
import { z } from './zod.ts'

const Index = z.array(z.number().int().min(0))
const Columns = z.object({
  /** For each field of the items that is not below, an array with their values in the order of the list. */
  fields: z.record(z.string(), z.array(z.unknown())),
  /** The author of each item. */
  user: Index,
  /** With the names of authors only. */
  users: z.array(z.object({ id: UserId, name: z.string().nullable() })),
  collections: z.array(Id),
  links: z.object({ item: Index, collection: Index, user: Index, added_at: z.array(z.string()) }),
  people: z.object({ item: Index, id: z.array(Id) }),
})

/**
 * The compact form of a list: arrays instead of an object per item. `item`, `user` and `collection` are indexes of items, `users` and `collections`.
 * Parses into the items, and refuses values that these may not have. Links and people of an item that is not there are left out.
 */
export function columnsOf<T extends z.ZodType>(item: T) {
  return Columns.transform(itemsOf).pipe(z.array(item))
}

function itemsOf({ fields, user, users, collections, links, people }: z.infer<typeof Columns>): unknown[] {
  const items = user.map((author, n) => {
    const item: { people: unknown[]; collections: unknown[]; [field: string]: unknown } = {
      user_id: users[author]?.id,
      user_name: users[author]?.name,
      people: [],
      collections: [],
    }
    for (const field in fields) item[field] = fields[field]?.[n]
    return item
  })
  people.item.forEach((item, n) => {
    items[item]?.people.push(people.id[n])
  })
  links.item.forEach((item, n) => {
    items[item]?.collections.push({
      collection_id: collections[links.collection[n] ?? -1],
      user_id: users[links.user[n] ?? -1]?.id,
      added_at: links.added_at[n],
    })
  })
  return items
}
