import type { ComponentProps } from 'react'
import { colorOf, placeholderOf } from '../../lib/photos/placeholder.ts'
import { cx } from '../../ui/cx.ts'
import { Image } from '../../ui/image.tsx'
import { useSlowedDown } from '../scroll/use-fast-scroll.ts'

interface PassingImageProps extends Omit<ComponentProps<typeof Image>, 'placeholder'> {
  thumbhash: string | null
}

/** An image in a list; only its placeholder colour when it appears during a fast scroll. */
export function PassingImage({ thumbhash, ...rest }: PassingImageProps) {
  if (useSlowedDown()) return <Image {...rest} placeholder={placeholderOf(thumbhash)} />
  return <span className={cx('block bg-muted', rest.frameClassName)} style={{ backgroundColor: colorOf(thumbhash) }} />
}
