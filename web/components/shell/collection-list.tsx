import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { t } from '#say'
import type { Collection } from '../../../contract/collections.ts'
import { fold } from '../../lib/fold.ts'
import { Icon } from '../../ui/icon.tsx'
import { CollectionBadge } from '../collection-icon.tsx'

interface CollectionListProps {
  collections: Collection[]
  selectedId: string | null
  onChoose: (id: string) => void
}

/** Type to search, arrow keys to move, Enter to open. */
export function CollectionList({ collections, selectedId, onChoose }: CollectionListProps) {
  const listId = useId()
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(0)
  const wanted = fold(search.trim())
  const found = collections.filter(({ name }) => fold(name).includes(wanted))
  const current = found[Math.min(active, found.length - 1)]

  const currentId = current && `${listId}-${current.id}`
  useEffect(() => {
    if (currentId) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' })
  }, [currentId])

  const onKeyDown = (event: KeyboardEvent) => {
    // The input method has not finished composing: Enter belongs to it.
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && found.length > 0) {
      event.preventDefault()
      setActive((Math.min(active, found.length - 1) + step + found.length) % found.length)
    } else if (event.key === 'Enter' && current) {
      event.preventDefault()
      onChoose(current.id)
    }
  }

  return (
    <>
      <div className="relative border-b">
        <Icon name="search" size={18} className="pointer-events-none absolute top-1/2 start-3 -translate-y-1/2 text-(--text-muted)" />
        <input
          type="text"
          role="combobox"
          aria-label={t`Find a collection`}
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={currentId}
          placeholder={t`Find a collection`}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
          className="h-11 w-full bg-transparent pe-3 ps-9 text-sm outline-none placeholder:text-dimmed pointer-coarse:text-base"
        />
      </div>
      <div id={listId} role="listbox" aria-label={t`Collections`} tabIndex={-1} className="max-h-72 overflow-y-auto p-1 empty:hidden">
        {found.map((collection) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the keyboard
          <div
            key={collection.id}
            id={`${listId}-${collection.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={collection.id === selectedId}
            data-highlighted={collection === current ? '' : undefined}
            onClick={() => onChoose(collection.id)}
            onPointerMove={() => setActive(found.indexOf(collection))}
            className="flex min-h-10 cursor-pointer items-center gap-2.5 rounded-md px-2 py-1 text-sm data-highlighted:bg-muted"
          >
            <CollectionBadge icon={collection.icon} theme={collection.theme} size={28} />
            <span className="min-w-0 grow truncate" dir="auto">
              {collection.name}
            </span>
            {collection.id === selectedId && <Icon name="check" size={18} />}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p role="status" className="px-4 py-5 text-center text-sm text-muted">
          {collections.length === 0 ? t`You have no collections yet.` : t`No collections match “${search.trim()}”.`}
        </p>
      )}
    </>
  )
}
