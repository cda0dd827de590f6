import type { GenericSlide, Slide, SlideVideo } from 'yet-another-react-lightbox'
import { Trans } from '#say/react'
import type { Asset } from '../../../contract/assets.ts'
import { formatSize } from '../../../contract/format-size.ts'
import { RENDITIONS } from '../../../contract/limits.ts'
import { hasFilm } from '../../lib/film-in-photo.ts'
import { imageSources, kindOf, playableUrls } from '../../lib/media.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { Icon } from '../../ui/icon.tsx'
import { FadingImg } from '../../ui/image.tsx'
import { FileFace } from './asset-tile.tsx'
import { DownloadLink } from './download-link.tsx'
import { useMayDownload } from './use-may-download.ts'

declare module 'yet-another-react-lightbox' {
  interface SlideTypes {
    file: SlideFile
  }
  interface SlideFile extends GenericSlide {
    type: 'file'
    asset: Asset
  }
  interface SlideVideo {
    asset: Asset
  }
  interface SlideImage {
    film?: StillFilm | undefined
  }
}

/** The film of a Live Photo, or the photo that has one in its file. */
interface StillFilm {
  asset: Asset
}

/** Slide of an asset: the 2048 px rendition, and the original once the user zooms in. */
export function slideOf(asset: Asset, film?: Asset): Slide {
  const kind = kindOf(asset.type)
  const [src, ...others] = imageSources(asset, 'preview')
  if (kind === 'video' || kind === 'audio') {
    const size = asset.width && asset.height ? { width: asset.width, height: asset.height } : {}
    return {
      type: 'video',
      asset,
      sources: filmSources(asset),
      ...(src ? { poster: src } : {}),
      ...size,
    }
  }
  if (!src) return { type: 'file', asset }
  const alt = asset.alt ?? asset.name
  const { width, height } = asset
  const still = film ?? (hasFilm(asset) ? asset : undefined)
  const moving = still && { film: { asset: still } }
  if (!width || !height) return { src, alt, ...moving }
  const scale = Math.min(1, RENDITIONS.preview / Math.max(width, height))
  const preview = { src, width: Math.round(width * scale), height: Math.round(height * scale) }
  const original = others.find((other) => other.includes('/file')) ?? (src.includes('/file') ? src : undefined)
  return { src, alt, width, height, ...moving, srcSet: original && scale < 1 ? [preview, { src: original, width, height }] : [preview] }
}

/** The browser takes the first one that it plays. Of the made one only the server knows the type, and it plays nearly everywhere. */
function filmSources(asset: Asset): SlideVideo['sources'] {
  return playableUrls(asset).map((src) => {
    const original = asset.type === 'video/quicktime' ? 'video/mp4' : asset.type
    return { src, type: src.includes('/file') ? original : '' }
  })
}

/** For files that a browser cannot show, and films that it does not play. */
export function FileSlide({ asset }: { asset: Asset }) {
  const sources = imageSources(asset, 'preview')
  const mayDownload = useMayDownload()
  return (
    <div className="grid w-72 max-w-full justify-items-center gap-5 rounded-xl bg-raised p-6 text-default">
      <div className="h-36 w-full overflow-hidden rounded-md">
        {sources.length > 0 ? <FadingImg sources={sources} alt="" className="size-full object-cover" /> : <FileFace asset={asset} />}
      </div>
      {kindOf(asset.type) === 'video' && (
        <p role="status" className="text-center text-sm">
          <Trans>This browser does not play this video.</Trans> {mayDownload && <Trans>Download it to watch it in another program.</Trans>}
        </p>
      )}
      {kindOf(asset.type) === 'photo' && (
        <p className="text-center text-sm">
          <Trans>No picture could be made of this file.</Trans> {mayDownload && <Trans>Download it to open it in another program.</Trans>}
        </p>
      )}
      {mayDownload && (
        <DownloadLink asset={asset} className={buttonClass({ variant: 'primary' })}>
          <Icon name="download" size={18} />
          <Trans context="verb">Download, {formatSize(asset.size)}</Trans>
        </DownloadLink>
      )}
    </div>
  )
}
