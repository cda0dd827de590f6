import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { diffRows } from '../content/diff.ts'
import { kindOf } from '../media.ts'
import type { Alike } from './content.ts'

type Countable = Pick<Asset, 'type' | 'people'> | Pick<Post, 'type' | 'kind' | 'people'>

/** Counts items with the same kind and people. Examines each item once, and later only added and removed ones. */
export function createTally(): (posts: readonly Post[], assets: readonly Asset[]) => Iterable<Alike> {
  const tally = new Tally()
  let last: { posts: readonly Post[]; assets: readonly Asset[] } = { posts: [], assets: [] }
  return (posts, assets) => {
    for (const { gone, came } of [diffRows(last.posts, posts), diffRows(last.assets, assets)]) {
      for (const item of gone) tally.add(item, -1)
      for (const item of came) tally.add(item, 1)
    }
    last = { posts, assets }
    return tally.all()
  }
}

class Tally {
  /** By type, then by kind and people: a single key of all three is slow to build for every item. */
  readonly #types = new Map<string, Map<string, Alike>>()

  add(item: Countable, by: 1 | -1): void {
    const post = 'kind' in item
    const kind = post ? `post ${item.kind ?? ''}` : ''
    const key = item.people.length === 0 ? kind : `${kind} ${item.people.join()}`
    let alikes = this.#types.get(item.type)
    if (!alikes) {
      alikes = new Map()
      this.#types.set(item.type, alikes)
    }
    const alike = alikes.get(key)
    if (alike) alike.count += by
    else
      alikes.set(key, {
        kind: post ? { type: item.type, kind: item.kind } : { content: kindOf(item.type) },
        people: item.people,
        count: by,
      })
  }

  *all(): Generator<Alike> {
    for (const alikes of this.#types.values()) for (const alike of alikes.values()) if (alike.count > 0) yield alike
  }
}
