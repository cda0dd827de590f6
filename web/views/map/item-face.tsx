import type { MapItem } from '../../atoms/map.ts'
import { itemIcon } from '../../components/item-icons.ts'
import { imageSources } from '../../lib/media.ts'
import { placeholderOf } from '../../lib/photos/placeholder.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { FadingImg, placeholderStyle } from '../../ui/image.tsx'

/** The preview of an item: its photo, a post's first photo, or an icon. Fills its container. */
export function ItemFace({ item, className, iconSize = 20 }: { item: MapItem; className?: string; iconSize?: number }) {
  const pictured = item.kind === 'asset' ? item.row : item.row.assets.find((asset) => imageSources(asset, 'thumb').length > 0)
  const sources = pictured ? imageSources(pictured, 'thumb') : []
  if (!pictured || sources.length === 0) {
    return (
      <span className={cx('grid size-full place-items-center bg-accent-soft text-accent', className)}>
        <Icon name={itemIcon(item.row)} size={iconSize} />
      </span>
    )
  }
  return (
    <span className={cx('block size-full overflow-hidden bg-muted', className)} style={placeholderStyle(placeholderOf(pictured.thumbhash))}>
      <FadingImg sources={sources} alt="" />
    </span>
  )
}
