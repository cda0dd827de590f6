import type { Asset } from '../../../contract/assets.ts'
import { hasFilm } from '../../lib/film-in-photo.ts'
import type { IconName } from '../../ui/icon.tsx'

export type Marked = Pick<Asset, 'type'> & Partial<Pick<Asset, 'group' | 'duration'>>

interface Mark {
  icon: IconName
  text: string
  /** For the name of the tile. */
  label: string
}

/** What a tile shows of the other parts of its group, or of the film in its file; null for a file of one part. */
export function markOf({ group, type, duration }: Marked): Mark | null {
  const count = group?.assetIds?.length.toLocaleString('en') ?? ''
  switch (group?.kind) {
    case undefined:
      return hasFilm({ type, duration: duration ?? null }) ? LIVE : null
    case 'live':
      return LIVE
    case 'raw':
      return { icon: 'stacks', text: 'RAW', label: 'with its RAW file' }
    case 'burst':
      return { icon: 'burst-mode', text: count, label: `burst of ${count}` }
    default:
      return { icon: 'stacks', text: count, label: `stack of ${count}` }
  }
}

const LIVE: Mark = { icon: 'motion-photos-on', text: 'Live', label: 'Live' }
