import { useAtomValue } from 'jotai'
import type { KeyboardEvent } from 'react'
import { joined, numberText } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import type { PostAsset } from '../../../contract/posts.ts'
import { assetsAtom } from '../../atoms/content.ts'
import { uploadItemsAtom } from '../../atoms/uploads.ts'
import { imageSources } from '../../lib/media.ts'
import { placeholderOf } from '../../lib/photos/placeholder.ts'
import type { UploadItem } from '../../lib/uploads/types.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { Image } from '../../ui/image.tsx'
import { ProgressRing } from '../../ui/progress.tsx'
import { FileFace } from '../photos/asset-tile.tsx'
import { useUploadThumb } from '../uploads/use-upload-thumb.ts'
import { stateOf } from '../uploads/words.ts'

interface PostPhotoProps {
  id: string
  index: number
  known: readonly PostAsset[]
  /** The photo is following the pointer. */
  lifted: boolean
  active: boolean
  handlers: object
  onKeyDown: (event: KeyboardEvent) => void
  onSelect: () => void
  onRemove: () => void
}

/** One photo of a post, stored or still uploading. */
export function PostPhoto({ id, index, known, lifted, active, handlers, onKeyDown, onSelect, onRemove }: PostPhotoProps) {
  const assets = useAtomValue(assetsAtom)
  const upload = useAtomValue(uploadItemsAtom).find((item) => item.id === id)
  const asset = assets.find((one) => one.id === id) ?? known.find((one) => one.id === id)
  const name = asset?.alt || asset?.name || upload?.name || t`Photo`
  const parts = [
    name,
    numberText(index + 1),
    index === 0 && t({ message: 'the cover', comment: 'Of the first photo, after its name and “1”' }),
    !asset && upload && stateOf(upload),
  ]
  return (
    <li className={cx('relative aspect-square', lifted && 'z-10 scale-105 opacity-80')}>
      <button
        type="button"
        {...handlers}
        aria-pressed={active}
        aria-label={joined(parts)}
        onClick={onSelect}
        onKeyDown={onKeyDown}
        onDragStart={(event) => event.preventDefault()}
        className={cx(
          'relative block size-full touch-pan-y touch-pinch-zoom overflow-hidden rounded-sm bg-muted select-none focus-visible:outline-offset-1 lg:cursor-grab',
          active && 'outline-2 outline-offset-1 outline-(--accent)',
        )}
      >
        {asset ? <Face asset={asset} /> : upload && <UploadFace item={upload} />}
        {index === 0 && (
          <span className="absolute bottom-1 start-1 rounded-xs bg-black/65 px-1.5 py-0.5 text-xs font-medium text-white">
            <Trans context="noun">Cover</Trans>
          </span>
        )}
      </button>
      <button
        type="button"
        aria-label={t`Remove ${name}`}
        title={t`Remove from post`}
        onClick={onRemove}
        className="touch-target absolute top-1 end-1 grid size-6 place-items-center rounded-full bg-black/65 text-white focus-visible:outline-white"
      >
        <Icon name="close" size={16} />
      </button>
    </li>
  )
}

function Face({ asset }: { asset: PostAsset }) {
  const sources = imageSources(asset, 'thumb')
  if (sources.length === 0) return <FileFace asset={asset} />
  return <Image sources={sources} alt="" placeholder={placeholderOf(asset.thumbhash)} frameClassName="size-full pointer-events-none" />
}

function UploadFace({ item }: { item: UploadItem }) {
  const thumb = useUploadThumb(item)
  const failed = item.state === 'failed'
  return (
    <>
      {thumb ? <img src={thumb} alt="" draggable={false} className="size-full object-cover opacity-60" /> : <FileFace asset={item} />}
      <span className="absolute inset-0 grid place-items-center">
        <span className="grid size-9 place-items-center rounded-full bg-raised">
          {failed ? (
            <Icon name="error" className="text-danger" />
          ) : (
            <ProgressRing value={item.size > 0 ? item.sent / item.size : null} label={t`Progress of ${item.name}`} />
          )}
        </span>
      </span>
    </>
  )
}
