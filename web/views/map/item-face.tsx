import type { MapItem } from '../../atoms/map.ts'
import { KIND_ICONS, postIcon } from '../../components/item-icons.ts'
import { imageSources, kindOf } from '../../lib/media.ts'
import { placeholderOf } from '../../lib/photos/placeholder.ts'
import { cx } from '../../ui/cx.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { FadingImg, placeholderStyle } from '../../ui/image.tsx'

/** The preview of an item: its photo, a post's first photo, or an icon. Fills its container. */
export function ItemFace({ item, className, iconSize = 20 }: { item: MapItem; className?: string; iconSize?: number }) {
  const pictured = item.kind === 'asset' ? item.row : item.row.assets.find((asset) => imageSources(asset, 'thumb').length > 0)
  const sources = pictured ? imageSources(pictured, 'thumb') : []
  if (!pictured || sources.length === 0) {
    return (
      <span className={cx('grid size-full place-items-center bg-accent-soft text-accent', className)}>
        <Icon name={iconOf(item)} size={iconSize} />
      </span>
    )
  }
  return (
    <span className={cx('block size-full overflow-hidden bg-muted', className)} style={placeholderStyle(placeholderOf(pictured.thumbhash))}>
      <FadingImg sources={sources} alt="" />
    </span>
  )
}

function iconOf(item: MapItem): IconName {
  if (item.kind === 'post') return postIcon(item.row.type)
  return KIND_ICONS[kindOf(item.row.type)]
}
