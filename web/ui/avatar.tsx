import { Avatar as Radix } from 'radix-ui'
import { cx } from './cx.ts'
import { Icon, type IconName } from './icon.tsx'
import { hueOf, initials } from './initials.ts'

/** Pixels by size: those of contract/images.ts, which this folder may not import; a test compares them. */
const PIXELS = { '3xs': 16, '2xs': 20, xs: 24, sm: 28, md: 32, lg: 36, xl: 40, '2xl': 44, '3xl': 48 } as const
export type AvatarSize = keyof typeof PIXELS

interface AvatarProps {
  src?: string
  /** The person's name. Its initials are shown when there is no picture. */
  alt: string
  size?: AvatarSize
  icon?: IconName
  /** Whether the name is shown beside it. */
  decorative?: boolean
  className?: string
}

export function Avatar({ src, alt, size = 'md', icon, decorative = false, className }: AvatarProps) {
  const pixels = PIXELS[size]
  const name = decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': alt }
  return (
    <Radix.Root
      {...name}
      data-primary={hueOf(alt)}
      style={{ width: pixels, height: pixels, fontSize: Math.max(8, Math.round(pixels * 0.38)) }}
      className={cx('inline-grid shrink-0 select-none place-items-center overflow-hidden rounded-full bg-accent-soft', className)}
    >
      {src && <Radix.Image src={src} alt="" className="size-full object-cover" />}
      <Radix.Fallback className="font-semibold leading-none text-accent">
        {icon || !initials(alt) ? <Icon name={icon ?? 'person'} size={Math.round(pixels * 0.6)} /> : initials(alt)}
      </Radix.Fallback>
    </Radix.Root>
  )
}
