import { numberText } from '#language'
import { plural, t } from '#say'
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
  const count = group?.assetIds?.length ?? 0
  const text = count > 0 ? numberText(count) : ''
  switch (group?.kind) {
    case undefined:
      return hasFilm({ type, duration: duration ?? null }) ? liveMark() : null
    case 'live':
      return liveMark()
    case 'raw':
      return { icon: 'stacks', text: 'RAW', label: t`with its RAW file` }
    case 'burst':
      return { icon: 'burst-mode', text, label: t`${plural(count, { 0: 'burst', one: 'burst of #', other: 'burst of #' })}` }
    default:
      return { icon: 'stacks', text, label: t`${plural(count, { 0: 'stack', one: 'stack of #', other: 'stack of #' })}` }
  }
}

const liveMark = (): Mark => ({ icon: 'motion-photos-on', text: liveText(), label: liveText() })

export const liveText = () => t({ message: 'Live', context: 'adjective', comment: 'A photo that moves, as in “Live Photo”' })
