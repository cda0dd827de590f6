import type { Collection, Cover } from '../../../contract/collections.ts'
import { imageSources } from '../../lib/media.ts'
import { placeholderOf } from '../../lib/photos/placeholder.ts'
import { cx } from '../../ui/cx.ts'
import { FadingImg, placeholderStyle } from '../../ui/image.tsx'
import { CollectionIcon } from '../collection-icon.tsx'

/** The newest photos of a collection side by side, or its icon when it has none. */
export function CollectionCover({ collection }: { collection: Collection }) {
  const [first, ...rest] = collection.covers.slice(0, 3)
  return (
    <div aria-hidden="true" className="h-40 overflow-hidden bg-accent-faint">
      {first ? (
        <div className={cx('grid size-full gap-0.5', rest.length > 0 && 'grid-cols-[2fr_1fr]')}>
          <Tile cover={first} />
          {rest.length > 0 && (
            <div className="grid min-h-0 auto-rows-fr gap-0.5">
              {rest.map((cover) => (
                <Tile key={cover.id} cover={cover} />
              ))}
            </div>
          )}
        </div>
      ) : (
        <span className="grid size-full place-items-center text-accent">
          <CollectionIcon icon={collection.icon} size={44} />
        </span>
      )}
    </div>
  )
}

function Tile({ cover }: { cover: Cover }) {
  const thumb = { ...cover, type: 'image/webp', width: null, height: null, renditions: ['thumb' as const] }
  return (
    <span className="block min-h-0 min-w-0 overflow-hidden" style={placeholderStyle(placeholderOf(cover.thumbhash))}>
      <FadingImg sources={imageSources(thumb, 'thumb')} alt="" />
    </span>
  )
}
