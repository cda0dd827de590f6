import type { ComponentProps } from 'react'
import { colorOf, placeholderOf } from '../../lib/photos/placeholder.ts'
import { cx } from '../../ui/cx.ts'
import { Image } from '../../ui/image.tsx'
import { usePictured } from './use-fast-scroll.ts'

interface PassingImageProps extends Omit<ComponentProps<typeof Image>, 'placeholder'> {
  thumbhash: string | null
}

/** A picture of something that people scroll through: in its colour alone while they hurry. */
export function PassingImage({ thumbhash, ...rest }: PassingImageProps) {
  if (usePictured()) return <Image {...rest} placeholder={placeholderOf(thumbhash)} />
  return <span className={cx('block bg-muted', rest.frameClassName)} style={{ backgroundColor: colorOf(thumbhash) }} />
}
