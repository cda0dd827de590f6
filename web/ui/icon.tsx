import { cx } from './cx.ts'
import type { IconName } from './icon-name.generated.ts'
import sprite from './icons.svg?url'

export type { IconName }

interface IconProps {
  name: IconName
  /** In pixels. */
  size?: number
  className?: string
}

/** These icons point along the line of reading, or show it, so they are mirrored from right to left. */
const ALONG_THE_LINE = /^(arrow-(back|forward)|chevron-(left|right)|filter-list|format-list-.*|left-panel-.*|logout|reply|send|undo)$/

/** A decorative icon beside a text with the same meaning; hidden from screen readers. */
export function Icon({ name, size = 20, className }: IconProps) {
  return <SpriteIcon href={`${sprite}#${name}`} size={size} className={cx(ALONG_THE_LINE.test(name) && 'rtl:-scale-x-100', className)} />
}

/** One icon of a sprite, in the current text colour. */
export function SpriteIcon({ href, size = 20, className }: { href: string; size?: number; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
      focusable="false"
      className={cx('shrink-0 fill-current', className)}
    >
      <use href={href} />
    </svg>
  )
}
