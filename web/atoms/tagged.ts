import { atom } from 'jotai'
import { assetsAtom, contentCompleteAtom, postsAtom } from './content.ts'

/** Counts items in which any of `ids` is tagged, each once; null until the collection is completely loaded. */
export const countTaggedAtom = atom((get) => {
  if (!get(contentCompleteAtom)) return null
  const [posts, assets] = [get(postsAtom), get(assetsAtom)]
  return (...ids: string[]) => {
    const tagged = (item: { people: readonly string[] }) => item.people.some((id) => ids.includes(id))
    return posts.filter(tagged).length + assets.filter(tagged).length
  }
})

/** Counts tagged items per person; null as above. */
export const taggedCountsAtom = atom((get) => {
  if (!get(contentCompleteAtom)) return null
  const counts = new Map<string, number>()
  for (const list of [get(postsAtom), get(assetsAtom)])
    for (const { people } of list) for (const id of people) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
})
