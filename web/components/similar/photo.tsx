import { listText } from '#language'
import { Trans } from '#say/react'
import type { Asset } from '../../../contract/assets.ts'
import { formatSize } from '../../../contract/format-size.ts'
import { personName } from '../../../contract/person-name.ts'
import type { Post } from '../../../contract/posts.ts'
import { formatWhen } from '../../lib/dates/text.ts'
import { placeholderOf } from '../../lib/photos/placeholder.ts'
import { responsiveSources } from '../../lib/photos/responsive-image.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { cx } from '../../ui/cx.ts'
import { FadingImg, placeholderStyle } from '../../ui/image.tsx'
import { OriginalAuthor } from '../original-author.tsx'
import { tileLabel } from '../photos/asset-tile.tsx'
import { PartsMark } from '../photos/parts-mark.tsx'

interface SimilarPhotoProps {
  asset: Asset
  best: boolean
  /** The posts that show it. */
  posts: readonly Pick<Post, 'id' | 'title'>[]
  /** Names of other collections that have it. */
  alsoIn: readonly string[]
  kept: boolean
  /** Missing if the user may not move it to the trash. */
  onKeep: ((on: boolean) => void) | undefined
}

export function SimilarPhoto({ asset, best, posts, alsoIn, kept, onKeep }: SimilarPhotoProps) {
  return (
    <li className="grid content-start gap-2">
      <span
        style={{ aspectRatio: `${asset.width} / ${asset.height}`, ...placeholderStyle(placeholderOf(asset.thumbhash)) }}
        className={cx('relative block overflow-hidden rounded-md border bg-muted', kept && 'border-accent')}
      >
        <FadingImg {...responsiveSources(asset, '45vw sm:310px')} alt={tileLabel(asset)} />
        <PartsMark asset={asset} />
      </span>
      {onKeep ? (
        <Checkbox
          checked={kept}
          onCheckedChange={onKeep}
          label={
            best ? (
              <Trans>
                Keep
                <span className="font-normal text-muted"> · the best</span>
                <span className="sr-only"> {asset.name}</span>
              </Trans>
            ) : (
              <Trans>
                Keep
                <span className="sr-only"> {asset.name}</span>
              </Trans>
            )
          }
        />
      ) : (
        best && (
          <span className="text-sm text-muted">
            <Trans>The best</Trans>
          </span>
        )
      )}
      <span className="grid text-xs text-muted tabular-nums wrap-anywhere">
        <span className="text-sm text-default">{asset.name}</span>
        <span>
          {asset.width} × {asset.height} · {formatSize(asset.size)}
        </span>
        <span>{formatWhen(asset)}</span>
        {asset.location?.name && <span>{asset.location.name}</span>}
        <span>
          <Trans>Added by {personName(asset.user_name)}</Trans>
        </span>
        <OriginalAuthor name={asset.original_author} />
        {alsoIn.length > 0 && (
          <span className="text-default">
            <Trans>Also in {listText(alsoIn)}</Trans>
          </span>
        )}
        {posts.map(({ id, title }) => (
          <span key={id} className="text-default">
            <Trans>In the post “{title}”</Trans>
          </span>
        ))}
      </span>
    </li>
  )
}
