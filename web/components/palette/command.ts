import type { Asset } from '../../../contract/assets.ts'
import type { Collection } from '../../../contract/collections.ts'
import type { Person } from '../../../contract/people.ts'
import type { Rankable } from '../../lib/palette/rank.ts'
import type { IconName } from '../../ui/icon.tsx'

export const GROUPS = ['Views', 'Dates', 'Collections', 'People', 'Actions', 'Posts', 'Photos and files'] as const
type Group = (typeof GROUPS)[number]

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
