import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useEffectEvent } from 'react'
import { plural, t } from '#say'
import { Trans } from '#say/react'
import { formatSize } from '../../../contract/format-size.ts'
import { may } from '../../../contract/policy.ts'
import { collectionsAtom } from '../../atoms/collections.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { addUnattachedAtom, fetchUnattachedAtom, trashUnattachedAtom, unattachedAtom } from '../../atoms/unattached.ts'
import type { Item } from '../../lib/bulk/plan.ts'
import { isPost } from '../../lib/content/is-post.ts'
import { dayHere } from '../../lib/dates/moments.ts'
import { formatDay } from '../../lib/dates/text.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { ItemRow } from '../item-row.tsx'
import { useAct } from '../overlays/use-act.ts'
import { useChosen } from '../use-chosen.ts'
import { useLoad } from '../use-load.ts'

/** The user's own items that no collection shows: what was in deleted collections, or was removed from its last one. */
export function UnattachedDialog({ open, close, onClosed }: OverlayProps<void>) {
  const unattached = useAtomValue(unattachedAtom)
  const fetchItems = useSetAtom(fetchUnattachedAtom)
  const [failure, load] = useLoad(fetchItems)
  const items = unattached?.items ?? []
  // The server sends only some of many items: the next ones are fetched when these are gone.
  const nextAwaited = items.length === 0 && unattached?.more === true
  const loadNext = useEffectEvent(load)
  useEffect(() => {
    if (nextAwaited) loadNext()
  }, [nextAwaited])
  const { chosen, selected, choose } = useChosen(items)
  return (
    <Dialog
      open={open}
      onClose={close}
      onClosed={onClosed}
      size="lg"
      title={t`In no collection`}
      description={t`Your posts and files that no collection shows. They were removed from their last collection, or it was deleted.`}
      footer={items.length > 0 && <Foot selected={selected} />}
    >
      {failure ? (
        <ErrorState title={t`They could not be loaded`} message={failure} onRetry={load} />
      ) : unattached === null || nextAwaited ? (
        <div role="status" aria-label={t`Loading`} className="grid gap-2">
          {['a', 'b', 'c'].map((key) => (
            <Skeleton key={key} className="h-14" />
          ))}
        </div>
      ) : items.length === 0 ? (
        <EmptyState icon="check-circle" title={t`Nothing here`}>
          <Trans>All your posts and files are in a collection.</Trans>
        </EmptyState>
      ) : (
        <>
          <Checkbox
            className="px-1 pb-2"
            label={
              selected.length > 0 ? t`${plural(selected.length, { one: '# item selected', other: '# items selected' })}` : t`Select all`
            }
            checked={selected.length === items.length}
            onCheckedChange={(on) => choose(items, on)}
          />
          <ul aria-label={t`Items in no collection`} className="divide-y rounded-lg border">
            {items.map((item) => (
              <ItemRow
                key={item.id}
                item={item}
                details={detailsOf(item)}
                chosen={chosen.has(item.id)}
                onChoose={(on) => choose([item], on)}
              />
            ))}
          </ul>
          {unattached.more && (
            <p className="mt-3 text-muted text-sm">
              <Trans>You have more. They are shown once these are gone from here.</Trans>
            </p>
          )}
        </>
      )}
    </Dialog>
  )
}

function Foot({ selected }: { selected: readonly Item[] }) {
  const collections = (useAtomValue(collectionsAtom) ?? []).filter(({ role }) => may(role, 'item.link', true))
  const trash = useSetAtom(trashUnattachedAtom)
  const add = useSetAtom(addUnattachedAtom)
  const act = useAct()
  const none = selected.length === 0 ? t`Select items first` : undefined
  const addButton = (
    <Button
      icon="collections-bookmark"
      disabledReason={none ?? (collections.length === 0 ? t`You may not add to any collection` : undefined)}
    >
      <Trans>Add to a collection</Trans>
    </Button>
  )
  return (
    <>
      <Button icon="delete" disabledReason={none} onClick={() => void act(() => trash(selected))}>
        <Trans>Move to trash</Trans>
      </Button>
      {none || collections.length === 0 ? (
        addButton
      ) : (
        <Menu side="top" trigger={addButton}>
          {collections.map((collection) => (
            <MenuItem key={collection.id} onSelect={() => void act(() => add(selected, collection))}>
              {collection.name}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  )
}

/** `Added 3 May 2026 · 3.4 MB` */
function detailsOf(item: Item): string {
  const added = t`Added ${formatDay(dayHere(item.created_at), 'short')}`
  return isPost(item) ? added : `${added} · ${formatSize(item.size)}`
}
