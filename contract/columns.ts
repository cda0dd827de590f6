import { Id, UserId } from './ids.ts'
import type { CollectionLink } from './paging.ts'
import { z } from './zod.ts'

const Index = z.array(z.int().min(0))
const Columns = z.object({
  /** The author of each item. */
  user: Index,
  /** With the names of authors only. */
  users: z.array(z.object({ id: UserId, name: z.string().nullable() })),
  collections: z.array(Id),
  links: z.object({ item: Index, collection: Index, user: Index, added_at: z.array(z.string()) }),
  people: z.object({ item: Index, id: z.array(Id) }),
})

type Fields = Record<string, readonly unknown[]>

/**
 * The compact form of a list: arrays instead of an object per item. `fields` has an array for each field of the items that is not in another column,
 * in the order of the list; `item`, `user` and `collection` are indexes of items, `users` and `collections`. Parses into the items, and refuses
 * values that these may not have. Each column is parsed as a whole: parsing each item takes several times as long.
 */
export function columnsOf<S extends z.ZodRawShape>(item: z.ZodObject<S>): z.ZodType<z.output<z.ZodObject<S>>[]> {
  const { user_id, user_name, people, collections, ...own } = item.shape
  const fields = z.object(Object.fromEntries(Object.entries(own).map(([name, value]) => [name, z.array(value as z.ZodType)])))
  return z.object({ fields, ...Columns.shape }).transform(({ fields, ...columns }, ctx) => {
    const wrong = problemOf(fields, columns)
    if (wrong) ctx.addIssue(wrong)
    // Each field was parsed by the item's own schema.
    return wrong ? z.NEVER : (itemsOf(Object.keys(item.shape), fields, columns) as z.output<z.ZodObject<S>>[])
  })
}

/** Why valid columns still do not form items, or null. */
function problemOf(fields: Fields, { user, users, collections, links, people }: z.infer<typeof Columns>): string | null {
  const count = user.length
  const isWithin = (length: number) => (at: number) => at < length
  if (Object.values(fields).some(({ length }) => length !== count)) return 'A field lacks values'
  if (user.some((at) => typeof users[at]?.name !== 'string')) return 'An author is missing'
  if ([links.collection, links.user, links.added_at].some(({ length }) => length !== links.item.length)) return 'A link is not whole'
  if (people.id.length !== people.item.length) return 'A tag is not whole'
  const known =
    links.item.every(isWithin(count)) &&
    links.collection.every(isWithin(collections.length)) &&
    links.user.every(isWithin(users.length)) &&
    people.item.every(isWithin(count))
  return known ? null : 'An index is out of range'
}

/** Items without people share one array: items never change once received. */
const NOBODY: readonly string[] = []

/** `names` are the fields of an item, in their order: rows are compared as JSON, whatever form they came in. */
function itemsOf(names: string[], fields: Fields, { user, users, collections, links, people }: z.infer<typeof Columns>): unknown[] {
  const linksOf: CollectionLink[][] = user.map(() => [])
  links.item.forEach((item, n) => {
    const [collection_id = '', user_id = '', added_at = ''] = [
      collections[links.collection[n] ?? 0],
      users[links.user[n] ?? 0]?.id,
      links.added_at[n],
    ]
    linksOf[item]?.push({ collection_id, user_id, added_at })
  })
  const peopleOf: string[][] = []
  people.item.forEach((item, n) => {
    peopleOf[item] = [...(peopleOf[item] ?? []), people.id[n] ?? '']
  })
  const columns = Object.entries(fields)
  // Copies of one object: built key by key, items take more memory, and more time.
  const blank: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, undefined]))
  return user.map((author, n) => {
    const item = { ...blank }
    for (const [name, values] of columns) item[name] = values[n]
    item.user_id = users[author]?.id
    item.user_name = users[author]?.name
    item.people = peopleOf[n] ?? NOBODY
    item.collections = linksOf[n]
    return item
  })
}
