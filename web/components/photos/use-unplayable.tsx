import { type ReactNode, type SyntheticEvent, useState } from 'react'
import type { Slide } from 'yet-another-react-lightbox'
import { fileUrl } from '../../lib/media.ts'
import { isReachable } from '../../lib/photos/is-reachable.ts'

/** Videos of which it turned out that this browser does not play them, by id, and the container of slides that finds it out. */
export function useUnplayable() {
  const [unplayable, setUnplayable] = useState<ReadonlySet<string>>(new Set())
  const watch = ({ slide, children }: { slide: Slide; children?: ReactNode }) => {
    if (slide.type !== 'video') return children
    const { id, width } = slide.asset
    const refuse = () => setUnplayable((before) => new Set(before).add(id))
    const onErrorCapture = ({ target }: SyntheticEvent) => {
      if (isLastOfFilm(target)) void isReachable(fileUrl(slide.asset)).then((reachable) => reachable && refuse())
    }
    // Of a video whose pictures it cannot decode, a browser plays the sound alone.
    const onLoadedMetadataCapture = ({ target }: SyntheticEvent) => {
      if (width && target instanceof HTMLVideoElement && target.videoWidth === 0) refuse()
    }
    return (
      <div className="contents" onErrorCapture={onErrorCapture} onLoadedMetadataCapture={onLoadedMetadataCapture}>
        {children}
      </div>
    )
  }
  return { unplayable, watch }
}

/** A browser goes on with the next source of a film, if there is one. */
function isLastOfFilm(target: EventTarget): boolean {
  return target instanceof HTMLVideoElement || (target instanceof HTMLSourceElement && target.nextElementSibling === null)
}
