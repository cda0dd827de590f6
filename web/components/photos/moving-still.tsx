import { type MouseEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '#say'
import type { Asset } from '../../../contract/assets.ts'
import { filmInPhoto, hasFilm } from '../../lib/film-in-photo.ts'
import { followHold } from '../../lib/long-press.ts'
import { fileUrl, playableUrls } from '../../lib/media.ts'
import { isMetered } from '../../lib/metered.ts'
import { isReachable } from '../../lib/photos/is-reachable.ts'
import { Icon } from '../../ui/icon.tsx'
import { useAct } from '../overlays/use-act.ts'
import { liveText } from './part-words.ts'

interface MovingStillProps {
  /** The film, or the photo that has it in its own file. */
  film: Asset
  /** Nothing plays: whoever has zoomed in wants to see the picture. */
  zoomed: boolean
  /** The still. */
  children: ReactNode
}

/** A photo whose film plays while the mouse is over it or a finger rests on it, and at its button. Without sound: nobody has asked for it. */
export function MovingStill({ film, zoomed, children }: MovingStillProps) {
  const [playing, setPlaying] = useState(false)
  const sources = useFilmUrls(film, playing)
  const [unplayable, setUnplayable] = useState<string | null>(null)
  const refused = unplayable === film.id
  const endHold = useRef<(() => void) | null>(null)
  const stop = () => setPlaying(false)
  const onError = () => {
    stop()
    void isReachable(fileUrl(film)).then((reachable) => reachable && setUnplayable(film.id))
  }
  const onPointerDown = ({ pointerType, isPrimary, clientX, clientY }: PointerEvent) => {
    if (pointerType === 'mouse' || !isPrimary) return
    endHold.current = followHold({ clientX, clientY }, { onHeld: () => setPlaying(true), onEnded: stop })
  }
  useEffect(() => () => endHold.current?.(), [])
  const onClick = ({ nativeEvent }: MouseEvent) => {
    // A mouse has started it by being here.
    const byMouse = 'pointerType' in nativeEvent && nativeEvent.pointerType === 'mouse'
    setPlaying(byMouse || !playing)
  }
  return (
    <div
      className="moving-still contents"
      onPointerOver={(event) => isOverPicture(event) && setPlaying(true)}
      onPointerOut={(event) => isOverPicture(event) && stop()}
      onPointerDown={onPointerDown}
    >
      {children}
      {playing && !zoomed && sources.length > 0 && !refused && (
        <video className="moving-still-film" muted autoPlay playsInline onEnded={stop} onError={onError}>
          {sources.map((src, n) => (
            // The browser takes the first one that it plays; the last one fails after the others.
            <source key={src} src={src} onError={n === sources.length - 1 ? onError : undefined} />
          ))}
        </video>
      )}
      <button
        type="button"
        aria-pressed={playing}
        // The lightbox would take it as the beginning of a swipe.
        onPointerDown={(event) => event.stopPropagation()}
        onPointerUp={(event) => event.stopPropagation()}
        onClick={onClick}
        className="absolute bottom-3 start-3 z-1 flex min-h-11 items-center gap-1 rounded-full bg-black/60 pe-3 ps-2 text-sm font-medium text-white"
      >
        <Icon name="motion-photos-on" size={20} />
        {refused ? t`This browser cannot play the video` : liveText()}
      </button>
    </div>
  )
}

/** The slide around the picture covers the whole page, so that a mouse would always be over it. */
function isOverPicture({ pointerType, target }: PointerEvent): boolean {
  return (
    pointerType === 'mouse' &&
    (target as Element).closest('img, button') !== null &&
    !matchMedia('(prefers-reduced-motion: reduce)').matches &&
    !isMetered()
  )
}

/** None until the film is wanted and, from within a photo, here. */
function useFilmUrls(film: Asset, wanted: boolean): string[] {
  const inside = hasFilm(film)
  const [made, setMade] = useState<{ id: string; url: string } | null>(null)
  const act = useAct()
  useEffect(() => {
    if (!wanted || !inside || made?.id === film.id) return
    const leaving = new AbortController()
    void act(async () => {
      const bytes = await filmInPhoto(fileUrl(film), leaving.signal)
      if (bytes && !leaving.signal.aborted) setMade({ id: film.id, url: URL.createObjectURL(bytes) })
    })
    return () => leaving.abort()
  }, [wanted, inside, film, made, act])
  useEffect(() => () => void (made && URL.revokeObjectURL(made.url)), [made])
  if (!inside) return playableUrls(film)
  return made?.id === film.id ? [made.url] : []
}
