import { useAtomValue, useSetAtom } from 'jotai'
import type { MouseEvent } from 'react'
import { t } from '#say'
import { may } from '../../../contract/policy.ts'
import { collectionsAtom } from '../../atoms/collections.ts'
import { actOnUploadsAtom } from '../../atoms/uploads.ts'
import { kindOf } from '../../lib/media.ts'
import { isActive, isFilming, isRetryable, isUnshown, lacksCollection } from '../../lib/uploads/items.ts'
import type { FilmVersion, UploadItem } from '../../lib/uploads/types.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { ProgressRing } from '../../ui/progress.tsx'
import { focusBeside } from '../focus-beside.ts'
import { KIND_ICONS } from '../item-icons.ts'
import { useUploadThumb } from './use-upload-thumb.ts'
import { stateOf } from './words.ts'

/** One file: preview, name, state and actions. */
export function UploadRow({ item, top, height }: { item: UploadItem; top: number; height: number }) {
  const thumb = useUploadThumb(item)
  return (
    <li className="absolute inset-x-0 flex items-center gap-3 pe-2 ps-4" style={{ transform: `translateY(${top}px)`, height }}>
      <span className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-sm bg-muted text-muted">
        {thumb ? <img src={thumb} alt="" className="size-full object-cover" /> : <Icon name={KIND_ICONS[kindOf(item.type)]} />}
      </span>
      <span className="min-w-0 grow">
        <span className="block truncate text-sm" dir="auto">
          {item.name}
        </span>
        <span
          title={item.film?.message ?? item.message ?? undefined}
          className={cx(
            'text-xs tabular-nums',
            item.state === 'failed' || item.film || isUnshown(item) ? 'line-clamp-2' : 'block truncate',
            item.state === 'failed' || item.film?.state === 'failed' ? 'text-danger' : 'text-muted',
          )}
        >
          {stateOf(item)}
        </span>
      </span>
      <RowEnd item={item} />
    </li>
  )
}

function RowEnd({ item }: { item: UploadItem }) {
  const act = useSetAtom(actOnUploadsAtom)
  const cancel = useCancel()
  if (item.film) return <FilmEnd item={item} film={item.film} />
  if (isUnshown(item)) return <Icon name="info" className="mx-1.5 text-muted" />
  if (item.state === 'done') return <Icon name="check-circle" className="mx-1.5 text-success" />
  if (item.state === 'duplicate') return <Icon name="check-circle" className="mx-1.5 text-(--text-dimmed)" />
  const paused = item.state === 'paused'
  const end = item.state === 'failed' ? t`Remove from the list` : t`Cancel`
  return (
    <span className="flex items-center">
      {item.state === 'uploading' && <ProgressRing value={item.sent / item.size} label={t`Progress of ${item.name}`} size={18} />}
      {(paused || (isActive(item) && item.state !== 'finishing')) && (
        <RowButton
          icon={paused ? 'play-arrow' : 'pause'}
          text={paused ? t({ message: 'Resume', context: 'verb' }) : t({ message: 'Pause', context: 'verb' })}
          name={paused ? t`Resume ${item.name}` : t`Pause ${item.name}`}
          onClick={() => void act(paused ? 'resume' : 'pause', item.id)}
        />
      )}
      {lacksCollection(item) && <AddToCollection item={item} />}
      {isRetryable(item) && (
        <RowButton icon="refresh" text={t`Try again`} name={t`Try ${item.name} again`} onClick={() => void act('resume', item.id)} />
      )}
      <RowButton icon="close" text={end} name={`${end}: ${item.name}`} onClick={(event) => cancel(event, item.id)} />
    </span>
  )
}

/** For a file that its own collection does not take. */
function AddToCollection({ item }: { item: UploadItem }) {
  const act = useSetAtom(actOnUploadsAtom)
  const collections = (useAtomValue(collectionsAtom) ?? []).filter(({ role }) => may(role, 'item.add'))
  if (collections.length === 0) return null
  const text = t`Add to a collection`
  return (
    <Menu
      side="top"
      trigger={
        <Button variant="ghost" size="sm" icon="collections-bookmark" iconOnly aria-label={`${text}: ${item.name}`}>
          {text}
        </Button>
      }
    >
      {collections.map(({ id, name }) => (
        <MenuItem key={id} onSelect={() => void act('addTo', item.id, id)}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** Of a video that gets a version that more browsers play. */
function FilmEnd({ item, film }: { item: UploadItem; film: FilmVersion }) {
  const act = useSetAtom(actOnUploadsAtom)
  const cancel = useCancel()
  const end = film.state === 'failed' ? t`Remove from the list` : t`Do not make it`
  return (
    <span className="flex items-center">
      {isFilming(item) && <ProgressRing value={film.share} label={t`Progress of ${item.name}`} size={18} />}
      {film.state === 'failed' && (
        <RowButton icon="refresh" text={t`Try again`} name={t`Try ${item.name} again`} onClick={() => void act('resume', item.id)} />
      )}
      <RowButton icon="close" text={end} name={`${end}: ${item.name}`} onClick={(event) => cancel(event, item.id)} />
    </span>
  )
}

function useCancel() {
  const act = useSetAtom(actOnUploadsAtom)
  return (event: MouseEvent, id: string) => {
    const goBeside = focusBeside(event.currentTarget.closest('li'))
    void act('cancel', id)
    goBeside()
  }
}

/** `text` is its tooltip; `name` is the file's name. */
function RowButton({ icon, text, name, onClick }: { icon: IconName; text: string; name: string; onClick: (event: MouseEvent) => void }) {
  return (
    <Button variant="ghost" size="sm" icon={icon} iconOnly aria-label={name} onClick={onClick}>
      {text}
    </Button>
  )
}
