import { Link } from 'react-router'
import { numberText } from '#language'
import { t } from '#say'
import type { FeedAsset, FeedItem } from '../../../contract/feed.ts'
import { collectionLink } from '../../lib/links.ts'
import { imageSources } from '../../lib/media.ts'
import { placeholderOf } from '../../lib/photos/placeholder.ts'
import { denseSources } from '../../lib/photos/responsive-image.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { Image } from '../../ui/image.tsx'
import { postIcon } from '../item-icons.ts'
import { FileFace } from '../photos/asset-tile.tsx'
import { PlayMark } from '../photos/play-mark.tsx'

const GRID: Record<number, string> = {
  1: 'aspect-[3/2] max-h-80',
  2: 'aspect-[3/1] grid-cols-2',
  3: 'aspect-[3/1] grid-cols-3',
  4: 'aspect-[3/2] grid-cols-2 grid-rows-2 sm:aspect-[4/1] sm:grid-cols-4 sm:grid-rows-1',
}

/** The newest few photos of an entry. Each links to itself; the last one links to the rest if there are more. */
export function FeedPhotos({ item }: { item: FeedItem }) {
  const { samples, count, collection_id } = item
  const more = count - samples.length
  return (
    <ul className={cx('grid w-full gap-0.5 overflow-hidden rounded-lg', GRID[samples.length] ?? GRID[4])}>
      {samples.map((sample, index) => {
        const last = more > 0 && index === samples.length - 1
        return (
          <li key={sample.id} className="min-h-0 min-w-0">
            <Link
              to={collectionLink('media', collection_id, last ? '' : `&item=${sample.id}`)}
              {...(isNamed(sample) && !last ? {} : { 'aria-label': last ? moreText(more + 1, item) : t`Open ${sample.title}` })}
              className="relative block size-full overflow-hidden bg-muted outline-offset-[-3px]"
            >
              {!(last && isNamed(sample)) && (
                <Face picture={sample} name={sample.title} size={samples.length === 1 ? 'preview' : 'thumb'} />
              )}
              {last && (
                <span
                  aria-hidden="true"
                  dir="ltr"
                  className="absolute inset-0 grid place-items-center bg-black/60 text-lg font-semibold tabular-nums text-white"
                >
                  +{numberText(more + 1)}
                </span>
              )}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

const moreText = (more: number, { collection_name }: FeedItem) => t`${more} more in ${{ collection: collection_name }}`

const sized = (picture: FeedAsset) => ({ ...picture, width: null, height: null })

/** Whether the file's name is shown in place of a preview. */
const isNamed = (picture: FeedAsset) => imageSources(sized(picture), 'thumb').length === 0

export function Face({ picture, name, size }: { picture: FeedAsset; name: string; size: 'thumb' | 'preview' }) {
  const drawn = size === 'preview' ? denseSources(sized(picture)) : { sources: imageSources(sized(picture), 'thumb') }
  if (drawn.sources.length === 0) return <FileFace asset={{ name, type: picture.type }} />
  return (
    <>
      <Image {...drawn} alt="" placeholder={placeholderOf(picture.thumbhash)} frameClassName="size-full" />
      <PlayMark type={picture.type} />
    </>
  )
}

export function FeedPosts({ item }: { item: FeedItem }) {
  const { samples, count, collection_id } = item
  const more = count - samples.length
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] overflow-hidden rounded-lg border bg-raised">
      {samples.map(({ id, type, title, excerpt, cover }) => (
        <li key={id} className="border-b last:border-b-0">
          <Link
            to={collectionLink('timeline', collection_id, `#post-${id}`)}
            className="flex min-h-14 items-center gap-3 px-4 py-3 outline-offset-[-3px] transition-colors duration-(--fast) hover:bg-muted"
          >
            <span className="min-w-0 grow">
              <span className="flex items-center gap-2 font-medium">
                <Icon name={postIcon(type)} size={18} className="text-muted" />
                <span className="min-w-0 truncate" dir="auto">
                  {title}
                </span>
              </span>
              {excerpt && (
                <span dir="auto" className="mt-0.5 line-clamp-2 text-sm text-muted wrap-anywhere">
                  {excerpt}
                </span>
              )}
            </span>
            {cover && (
              <span className="relative size-16 shrink-0 overflow-hidden rounded-md bg-muted">
                <Face picture={cover} name="" size="thumb" />
              </span>
            )}
          </Link>
        </li>
      ))}
      {more > 0 && (
        <li>
          <Link
            to={collectionLink('timeline', collection_id)}
            className="flex min-h-11 items-center px-4 py-2 text-sm font-medium text-accent outline-offset-[-3px] hover:bg-muted"
          >
            {moreText(more, item)}
          </Link>
        </li>
      )}
    </ul>
  )
}
