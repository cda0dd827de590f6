import type { ReactNode } from 'react'
import { t } from '#say'
import type { Item } from '../lib/bulk/plan.ts'
import { nameOfItem } from '../lib/bulk/words.ts'
import { isPost } from '../lib/content/is-post.ts'
import { placeholderOf } from '../lib/photos/placeholder.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Icon } from '../ui/icon.tsx'
import { placeholderStyle } from '../ui/image.tsx'
import { itemIcon } from './item-icons.ts'

interface ItemRowProps {
  item: Item
  details: string
  chosen: boolean
  onChoose: (on: boolean) => void
  children?: ReactNode
}

/** An item in a list to choose from, outside of its collections. */
export function ItemRow({ item, details, chosen, onChoose, children }: ItemRowProps) {
  const name = nameOfItem(item)
  return (
    <li className="flex min-h-14 items-center gap-3 py-1.5 pe-2 ps-3">
      <Checkbox label={t`Select ${name}`} hideLabel checked={chosen} onCheckedChange={onChoose} />
      <Face item={item} />
      <div className="min-w-0 grow">
        <p dir="auto" className="line-clamp-2 text-sm font-medium wrap-anywhere">
          {name}
        </p>
        <p className="text-xs text-muted tabular-nums wrap-anywhere">{details}</p>
      </div>
      {children}
    </li>
  )
}

/** The blurred placeholder of a photo, or an icon: files of items that no collection shows are not loaded. */
function Face({ item }: { item: Item }) {
  const hash = isPost(item) ? item.assets[0]?.thumbhash : item.thumbhash
  return (
    <span
      style={placeholderStyle(placeholderOf(hash ?? null))}
      className="grid size-11 shrink-0 place-items-center rounded-sm bg-muted bg-cover text-(--text-muted)"
    >
      {!hash && <Icon name={itemIcon(item)} size={20} />}
    </span>
  )
}
