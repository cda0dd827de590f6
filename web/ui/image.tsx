import { type ComponentProps, type CSSProperties, useCallback, useEffect, useState } from 'react'
import { cx } from './cx.ts'

/** As the attribute, or whether there is one (spec §5). */
export type CrossOrigin = 'anonymous' | 'use-credentials' | '' | boolean

export function crossOriginOf(value: CrossOrigin | undefined): Exclude<CrossOrigin, boolean> | undefined {
  return value === true ? 'anonymous' : value === false ? undefined : value
}

interface FadingImgProps extends Omit<ComponentProps<'img'>, 'src' | 'crossOrigin'> {
  crossOrigin?: CrossOrigin
  /** Addresses to try, best first. When all fail nothing is drawn until the connection comes back. */
  sources: readonly string[]
  alt: string
}

/** A picture that fades in once it is decoded, over whatever is behind it. What the browser already has appears at once. */
export function FadingImg({ sources, alt, className, crossOrigin, srcSet, sizes, ...rest }: FadingImgProps) {
  const [state, setState] = useState({ tried: -1, shown: false, instant: false })
  // Runs while the element is being put in: a cached picture is complete by then and needs no fade.
  const ref = useCallback((img: HTMLImageElement | null) => {
    if (img?.complete && img.naturalWidth > 0) setState((s) => ({ ...s, shown: true, instant: true }))
  }, [])
  // What the browser chooses from comes before all that is tried one by one.
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

/** A blurred stand-in as the background of what holds the picture. */
export function placeholderStyle(url: string | undefined): CSSProperties {
  return url ? { backgroundImage: `url(${url})`, backgroundSize: '100% 100%' } : {}
}

interface ImageProps extends FadingImgProps {
  placeholder?: string | undefined
  frameClassName?: string
}

/** A picture in a frame of fixed proportions: placeholder first, then the picture fades in. Nothing jumps. */
export function Image({ placeholder, width, height, frameClassName, ...rest }: ImageProps) {
  const ratio = width && height ? { aspectRatio: `${width} / ${height}` } : {}
  return (
    <span className={cx('block overflow-hidden bg-muted', frameClassName)} style={{ ...placeholderStyle(placeholder), ...ratio }}>
      <FadingImg {...rest} />
    </span>
  )
}
