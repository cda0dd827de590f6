import { COLLECTION_THEME } from '../../contract/colors.ts'
import { COLLECTION_ICON_NAMES } from '../../contract/icons.ts'
import type { Theme } from '../../contract/themes.ts'
import { cx } from '../ui/cx.ts'
import { SpriteIcon } from '../ui/icon.tsx'
import sprite from './collection-icons.svg?url'

const KNOWN = new Set<string>(COLLECTION_ICON_NAMES)

/** A collection's icon. An unknown one, for example from a newer version, is shown as the default. */
export function CollectionIcon({ icon, size = 20 }: { icon: string; size?: number }) {
  return <SpriteIcon href={`${sprite}#${KNOWN.has(icon) ? icon : 'default'}`} size={size} />
}

interface BadgeProps {
  icon: string
  theme: Theme | null
  /** Size of the surrounding square in pixels. */
  size?: number
  /** Rounder corners, for large badges. */
  round?: boolean
  /** The badge is on the accent colour. */
  raised?: boolean
}

/** A collection's icon in the collection's colour. */
export function CollectionBadge({ icon, theme, size = 32, round = false, raised = false }: BadgeProps) {
  return (
    <span
      data-primary={primaryOf(theme)}
      style={{ width: size, height: size }}
      className={cx(
        'inline-grid shrink-0 place-items-center text-accent',
        round ? 'rounded-lg' : 'rounded-md',
        raised ? 'bg-raised' : 'bg-accent-soft',
      )}
    >
      <CollectionIcon icon={icon} size={Math.round(size * 0.62)} />
    </span>
  )
}

/** Value of `data-primary` for a collection's theme. */
export function primaryOf(theme: Theme | null): string {
  const { primary, blackAsPrimary } = theme ?? COLLECTION_THEME
  return blackAsPrimary ? 'black' : primary
}
