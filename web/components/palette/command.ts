import type { Said } from '#language'
import { msg } from '#say'
import type { Asset } from '../../../contract/assets.ts'
import type { Collection } from '../../../contract/collections.ts'
import type { Person } from '../../../contract/people.ts'
import type { Rankable } from '../../lib/palette/rank.ts'
import type { IconName } from '../../ui/icon.tsx'

export const GROUPS = ['views', 'dates', 'collections', 'people', 'actions', 'posts', 'files'] as const
type Group = (typeof GROUPS)[number]

export const GROUP_NAMES: Record<Group, Said> = {
  views: msg({ message: 'Views', context: 'noun', comment: 'Map, Media, Calendar, Timeline and so on' }),
  dates: msg`Dates`,
  collections: msg`Collections`,
  people: msg`People`,
  actions: msg`Actions`,
  posts: msg({ message: 'Posts', context: 'noun' }),
  files: msg`Photos and files`,
}

/** One line of the palette. */
export interface Command extends Rankable {
  group: Group
  /** Shown before the name. */
  face: { icon: IconName } | { collection: Collection } | { person: Person } | { asset: Asset }
  hint?: string
  keys?: readonly string[]
  run: () => void
  /** Runs once the palette has closed and restored the focus, for commands that open something over the page. */
  after?: boolean
}
