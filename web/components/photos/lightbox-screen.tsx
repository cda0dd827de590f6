import { useAtom, useAtomValue } from 'jotai'
import { type ReactNode, Suspense, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import Yarl, { type ControllerRef, type Slide } from 'yet-another-react-lightbox'
import Video from 'yet-another-react-lightbox/plugins/video'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import { plural, t } from '#say'
import 'yet-another-react-lightbox/styles.css'
import './lightbox.css'
import { numberText } from '#language'
import type { Asset } from '../../../contract/assets.ts'
import { filmOfAtom, partsOfAtom } from '../../atoms/groups.ts'
import { lightboxPanelAtom } from '../../atoms/lightbox.ts'
import { guestLink } from '../../lib/guest/link.ts'
import { latinKey } from '../../lib/latin-key.ts'
import { readingKey } from '../../lib/reading-direction.ts'
import { saveFiles } from '../../lib/save-files.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { useAtComments } from '../answers/at-comments.ts'
import { lazyPart } from '../optional-part.tsx'
import { useAct } from '../overlays/use-act.ts'
import { useShare } from '../sharing/use-share.ts'
import { useTrashItems } from '../trash/use-trash-items.ts'
import { tileLabel } from './asset-tile.tsx'
import { DownloadLink } from './download-link.tsx'
import { LightboxInfo } from './lightbox-info.tsx'
import { FileSlide, slideOf } from './lightbox-slide.tsx'
import { MovingStill } from './moving-still.tsx'
import { useMayDownload } from './use-may-download.ts'
import { useUnplayable } from './use-unplayable.tsx'

const LEAP = 40

export interface LightboxProps {
  assets: readonly Asset[]
  index: number
  onShow: (id: string) => void
  onClose: (lastId: string) => void
}

export function LightboxScreen({ assets, index, onShow, onClose }: LightboxProps) {
  const asset = assets[index]
  const controller = useRef<ControllerRef>(null)
  const [panel, setPanel] = useAtom(lightboxPanelAtom)
  const changePanel = (next: typeof panel) => {
    // The focus would be lost with the panel.
    const opener = document.querySelector<HTMLElement>('.yarl__toolbar [aria-pressed=true]')
    if (document.activeElement?.closest('.yarl__portal aside')) opener?.focus()
    setPanel(next)
  }
  const toggle = (other: 'info' | 'comments') => changePanel(panel === other ? null : other)
  useAtComments(asset?.id, () => setPanel('comments'))
  const trash = useTrashItems()
  // A window around the current slide that moves in steps: a collection may have 100,000 items.
  const start = Math.max(0, Math.floor(index / LEAP) * LEAP - LEAP)
  const { unplayable, watch } = useUnplayable()
  const [zoomed, setZoomed] = useState(false)
  const [filmOf, partsOf] = [useAtomValue(filmOfAtom), useAtomValue(partsOfAtom)]
  const slides = useMemo(
    () =>
      assets
        .slice(start, start + 3 * LEAP)
        .map((one) => (unplayable.has(one.id) ? { type: 'file' as const, asset: one } : slideOf(one, filmOf(one)))),
    [assets, start, unplayable, filmOf],
  )
  const refusal = asset && trash.reason([asset])
  const { share, whyNot } = useShare()
  const unshared = asset && whyNot([asset])
  const mayDownload = useMayDownload()
  const act = useAct()

  const show = (other: Asset | undefined) => other && other.id !== asset?.id && onShow(other.id)
  const remove = async () => {
    if (!asset || refusal) return
    const next = assets[index + 1] ?? assets[index - 1]
    if (!(await trash.remove([asset]))) return
    if (next) onShow(next.id)
    else onClose(asset.id)
  }
  const moveUnfocused = (to: 'prev' | 'next') => {
    if (isUnfocused()) controller.current?.[to]()
  }
  const closeUnfocused = () => {
    if (!isUnfocused()) return
    if (controller.current) controller.current.close()
    else if (asset) onClose(asset.id)
  }
  const actions: Record<string, () => void> = {
    escape: closeUnfocused,
    arrowleft: () => moveUnfocused('prev'),
    arrowright: () => moveUnfocused('next'),
    i: () => toggle('info'),
    c: () => toggle('comments'),
    d: () => asset && mayDownload && void act(() => saveFiles(partsOf(asset))),
    delete: () => guestLink || void remove(),
    home: () => show(assets[0]),
    end: () => show(assets.at(-1)),
  }
  useKeys(actions)
  if (!asset) return null

  const shareLabel = t({ message: 'Share', context: 'verb' })
  const buttons = [
    ...(guestLink
      ? []
      : [
          <button
            key="share"
            type="button"
            className="yarl__button"
            aria-disabled={unshared !== undefined}
            title={unshared ?? shareLabel}
            onClick={() => unshared === undefined && share([asset])}
          >
            <Face icon="share" label={unshared ? t`Share: ${unshared}` : shareLabel} />
          </button>,
        ]),
    mayDownload && <Download key="download" parts={partsOf(asset)} />,
    ...(guestLink
      ? []
      : [
          <button
            key="delete"
            type="button"
            className="yarl__button"
            aria-disabled={refusal !== undefined}
            title={refusal ?? t`Move to trash`}
            onClick={() => void remove()}
          >
            <Face icon="delete" label={refusal ? t`Move to trash: ${refusal}` : t`Move to trash`} />
          </button>,
        ]),
    <CommentsButton key="comments" asset={asset} open={panel === 'comments'} onClick={() => toggle('comments')} />,
    <button
      key="info"
      type="button"
      className="yarl__button"
      aria-pressed={panel === 'info'}
      title={t`Information (I)`}
      onClick={() => toggle('info')}
    >
      <Face icon="info" label={t`Information`} />
    </button>,
  ]
  return (
    <Yarl
      open
      // The lightbox makes its siblings inert: the app's own parts, but not the toasts with their Undo, which are in the body.
      portal={{ root: appRoot }}
      close={() => onClose(asset.id)}
      index={index - start}
      slides={slides}
      plugins={[Zoom, Video]}
      className={panel ? 'lightbox lightbox-with-info' : 'lightbox'}
      on={{
        view({ index: shown }) {
          show(assets[start + shown])
        },
        zoom: ({ zoom }) => setZoomed(zoom > 1),
      }}
      carousel={{ finite: true, preload: 2, padding: 0, spacing: '8%', imageProps: { draggable: false } }}
      animation={{ fade: 160, swipe: 200, zoom: 200 }}
      controller={{ ref: controller, closeOnPullDown: true, closeOnBackdropClick: false }}
      zoom={{ maxZoomPixelRatio: 2, scrollToZoom: true }}
      video={{ controls: true, playsInline: true, preload: 'metadata' }}
      toolbar={{ buttons: [...buttons, 'zoom', 'close'] }}
      labels={labels(asset)}
      render={{
        slide: ({ slide }) => (slide.type === 'file' ? <FileSlide asset={slide.asset} /> : undefined),
        slideContainer: (props) => withFilm(props, zoomed, watch),
        controls: () => panel && <Panel panel={panel} asset={asset} onClose={() => changePanel(null)} />,
        iconClose: () => <Icon name="close" size={24} />,
        iconPrev: () => <Icon name="chevron-left" size={36} />,
        iconNext: () => <Icon name="chevron-right" size={36} />,
        iconZoomIn: () => <Icon name="zoom-in" size={24} className="lightbox-zoom" />,
        iconZoomOut: () => <Icon name="zoom-out" size={24} className="lightbox-zoom" />,
        ...(assets.length < 2 ? { buttonPrev: () => null, buttonNext: () => null } : {}),
      }}
    />
  )
}

/** Texts of the library. */
const labels = (asset: Asset) => ({
  Lightbox: tileLabel(asset),
  'Photo gallery': t`Photos and files`,
  Carousel: t({ message: 'Carousel', comment: 'What screen readers call the photos that follow each other' }),
  Slide: t({ message: 'Slide', context: 'noun', comment: 'What screen readers call one of the photos that follow each other' }),
  '{index} of {total}': t`${{ index: '{index}' }} of ${{ total: '{total}' }}`,
  Previous: t`Previous`,
  Next: t`Next`,
  Close: t`Close`,
  'Zoom in': t`Zoom in`,
  'Zoom out': t`Zoom out`,
})

function Panel({ panel, asset, onClose }: { panel: 'info' | 'comments'; asset: Asset; onClose: () => void }) {
  if (panel === 'info') return <LightboxInfo asset={asset} onClose={onClose} />
  return (
    <Suspense>
      <LightboxComments asset={asset} onClose={onClose} />
    </Suspense>
  )
}

/** With the number of comments, which opens them beside the photo. */
function CommentsButton({ asset, open, onClick }: { asset: Asset; open: boolean; onClick: () => void }) {
  const count = asset.answers?.comments ?? 0
  return (
    <button type="button" className="yarl__button relative" aria-pressed={open} title={t`Comments (C)`} onClick={onClick}>
      <Face icon="chat-bubble" label={count > 0 ? t`Comments: ${count}` : t`Comments`} />
      {count > 0 && (
        <span
          aria-hidden="true"
          className="absolute top-1 end-0.5 min-w-4 rounded-full bg-white px-1 text-center text-[0.6875rem] leading-4 font-semibold text-black tabular-nums"
        >
          {count > 99 ? `${numberText(99)}+` : numberText(count)}
        </span>
      )}
    </button>
  )
}

/** A link for an item of one part, which can be copied; all files of others, one after the other. */
function Download({ parts }: { parts: readonly Asset[] }) {
  const act = useAct()
  const [asset] = parts
  if (!asset) return null
  const label = parts.length > 1 ? t`${plural(parts.length, { other: 'Download all # files' })}` : t`Download the original`
  const face = <Face icon="download" label={label} />
  if (parts.length > 1)
    return (
      <button type="button" className="yarl__button" title={label} onClick={() => void act(() => saveFiles(parts))}>
        {face}
      </button>
    )
  return (
    <DownloadLink asset={asset} className="yarl__button" title={label}>
      {face}
    </DownloadLink>
  )
}

function withFilm(
  props: { slide: Slide; children?: ReactNode },
  zoomed: boolean,
  otherwise: (props: { slide: Slide; children?: ReactNode }) => ReactNode,
) {
  const { slide, children } = props
  const film = 'film' in slide ? slide.film : undefined
  return film ? (
    <MovingStill film={film.asset} zoomed={zoomed}>
      {children}
    </MovingStill>
  ) : (
    otherwise(props)
  )
}

const LightboxComments = lazyPart(async () => (await import('./lightbox-comments.tsx')).LightboxComments)

/** The lightbox handles Esc and arrows only while it has the focus, which it gets a moment after it is rendered; until then the opener has it. */
function isUnfocused(): boolean {
  const at = document.activeElement
  return !at || at === document.body || (appRoot()?.contains(at) === true && !at.closest('.yarl__portal'))
}

function appRoot(): HTMLElement | null {
  return document.getElementById('root')
}

function Face({ icon, label }: { icon: IconName; label: string }) {
  return (
    <>
      <Icon name={icon} size={24} />
      <span className="sr-only">{label}</span>
    </>
  )
}

/** Keys beyond the lightbox's own; ignored while the user types or a dialog is on top. */
function useKeys(actions: Record<string, () => void>) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('[role=dialog] [data-scroll-lock], [data-scroll-lock]'))
      return
    actions[latinKey({ key: readingKey(event), code: event.code })]?.()
  })
  useLayoutEffect(() => {
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
