import { useAtomValue, useSetAtom } from 'jotai'
import { collectionsAtom } from '../../atoms/collections.ts'
import { restoreAtom, type TrashedItem } from '../../atoms/trash.ts'
import { isPost } from '../../lib/content/is-post.ts'
import { kindOf } from '../../lib/media.ts'
import { placeholderOf } from '../../lib/photos/placeholder.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { placeholderStyle } from '../../ui/image.tsx'
import { useAct } from '../overlays/use-act.ts'

interface TrashRowProps {
  item: TrashedItem
  chosen: boolean
  onChoose: (on: boolean) => void
}

export function TrashRow({ item, chosen, onChoose }: TrashRowProps) {
  const restore = useSetAtom(restoreAtom)
  const act = useAct()
  const name = isPost(item) ? item.title : item.alt || item.name
  return (
    <li className="flex min-h-14 items-center gap-3 py-1.5 pr-2 pl-3">
      <Checkbox label={`Select ${name}`} hideLabel checked={chosen} onCheckedChange={onChoose} />
      <Face item={item} />
      <div className="min-w-0 grow">
        <p className="truncate text-sm font-medium">{name}</p>
        <p className="truncate text-xs text-muted tabular">{[daysLeft(item.purged_at), ...useNames(item)].join(' · ')}</p>
      </div>
      <Button variant="ghost" size="sm" onClick={() => void act(() => restore([item]))}>
        Restore<span className="sr-only"> {name}</span>
      </Button>
    </li>
  )
}

/** The collections that it returns to, as far as the user is a member. */
function useNames({ collections }: TrashedItem): string[] {
  const known = useAtomValue(collectionsAtom) ?? []
  return known.filter(({ id }) => collections.some(({ collection_id }) => collection_id === id)).map(({ name }) => name)
}

/** The blurred placeholder of a photo, since the file is unavailable until it is restored, or an icon. */
function Face({ item }: { item: TrashedItem }) {
  const hash = isPost(item) ? item.assets[0]?.thumbhash : item.thumbhash
  return (
    <span
      style={placeholderStyle(placeholderOf(hash ?? null))}
      className="grid size-11 shrink-0 place-items-center rounded-sm bg-muted bg-cover text-(--text-muted)"
    >
      {!hash && <Icon name={iconOf(item)} size={20} />}
    </span>
  )
}

function iconOf(item: TrashedItem): IconName {
  if (isPost(item)) return item.type === 'event' ? 'event' : 'sticky-note-2'
  return ({ photo: 'image', video: 'movie', audio: 'audio-file', file: 'draft' } as const)[kindOf(item.type)]
}

/** `12 days left`, until permanent deletion. */
function daysLeft(purgedAt: string, now = Date.now()): string {
  const days = Math.ceil((Date.parse(purgedAt) - now) / 86_400_000)
  if (days <= 0) return 'Any moment now'
  return days === 1 ? '1 day left' : `${days} days left`
}
