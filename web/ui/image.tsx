import { type ComponentProps, type CSSProperties, useCallback, useEffect, useState } from 'react'
import { cx } from './cx.ts'

/** As the attribute, or a flag. */
type CrossOrigin = 'anonymous' | 'use-credentials' | '' | boolean

function crossOriginOf(value: CrossOrigin | undefined): Exclude<CrossOrigin, boolean> | undefined {
  return value === true ? 'anonymous' : value === false ? undefined : value
}

interface FadingImgProps extends Omit<ComponentProps<'img'>, 'src' | 'crossOrigin'> {
  crossOrigin?: CrossOrigin
  /** URLs to try, best first. When all fail, nothing is shown until the connection comes back. */
  sources: readonly string[]
  alt: string
}

/** An image that fades in over its background once it is decoded. One that is already loaded appears at once. */
export function FadingImg({ sources, alt, className, crossOrigin, srcSet, sizes, ...rest }: FadingImgProps) {
  const [state, setState] = useState({ tried: -1, shown: false, instant: false })
  // Runs when the element is mounted: a cached image is complete by then and needs no fade.
  const ref = useCallback((img: HTMLImageElement | null) => {
    if (img?.complete && img.naturalWidth > 0) setState((s) => ({ ...s, shown: true, instant: true }))
  }, [])
  // The srcset comes before the URLs that are tried one by one.
  const tried = srcSet ? state.tried : Math.max(0, state.tried)
  const choosing = tried < 0 ? { srcSet, sizes } : {}
  const src = sources[Math.max(0, tried)]
  const failed = src === undefined && sources.length > 0
  useEffect(() => {
    if (!failed) return
    const again = () => setState({ tried: -1, shown: false, instant: false })
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [failed])
  if (!src) return null
  return (
    <img
      loading="lazy"
      decoding="async"
      draggable={false}
      {...rest}
      crossOrigin={crossOriginOf(crossOrigin)}
      ref={ref}
      key={tried < 0 ? 'chosen' : src}
      {...choosing}
      src={src}
      alt={alt}
      onLoad={() => setState((s) => ({ ...s, shown: true }))}
      onError={() => setState((s) => ({ ...s, tried: tried + 1, shown: false }))}
      className={cx(
        'size-full object-cover',
        !state.instant && 'transition-opacity duration-(--slow) ease-out',
        state.shown ? 'opacity-100' : 'opacity-0',
        className,
      )}
    />
  )
}

/** A blurred placeholder as the background of the image's container. */
export function placeholderStyle(url: string | undefined): CSSProperties {
  return url ? { backgroundImage: `url(${url})`, backgroundSize: '100% 100%' } : {}
}

interface ImageProps extends FadingImgProps {
  placeholder?: string | undefined
  frameClassName?: string
}

/** An image in a frame of fixed proportions, over its placeholder, so that the layout does not move. */
export function Image({ placeholder, width, height, frameClassName, ...rest }: ImageProps) {
  const ratio = width && height ? { aspectRatio: `${width} / ${height}` } : {}
  return (
    <span className={cx('block overflow-hidden bg-muted', frameClassName)} style={{ ...placeholderStyle(placeholder), ...ratio }}>
      <FadingImg {...rest} />
    </span>
  )
}
