import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { LIMITS } from '../../../contract/limits.ts'
import { unsavedCountAtom } from '../../atoms/pending.ts'
import {
  fetchMoreTrashAtom,
  fetchTrashAtom,
  restoreAllAtom,
  restoreAtom,
  type TrashedItem,
  trashErrorAtom,
  trashListAtom,
} from '../../atoms/trash.ts'
import { itemCount } from '../../lib/bulk/words.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { useAct } from '../overlays/use-act.ts'
import { TrashRow } from './row.tsx'

export function TrashDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const trash = useAtomValue(trashListAtom)
  const fetch = useSetAtom(fetchTrashAtom)
  const unsaved = useAtomValue(unsavedCountAtom) > 0
  useEffect(() => {
    if (open && !unsaved) void fetch()
  }, [open, unsaved, fetch])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const items = trash?.items ?? []
  const selected = items.filter(({ id }) => chosen.has(id))
  const choose = (some: readonly TrashedItem[], on: boolean) => {
    const next = new Set(chosen)
    for (const { id } of some) on ? next.add(id) : next.delete(id)
    setChosen(next)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      size="lg"
      title="Trash"
      description={`Items that you can restore. They are deleted permanently after ${LIMITS.trashDays} days.`}
      footer={items.length > 0 && <Foot selected={selected} onRestored={() => setChosen(new Set())} />}
    >
      {items.length > 0 ? (
        <>
          <Checkbox
            className="px-1 pb-2"
            label={selected.length > 0 ? `${itemCount(selected.length)} selected` : 'Select all'}
            checked={selected.length === items.length}
            onCheckedChange={(on) => choose(items, on)}
          />
          <ul aria-label="Deleted items" className="divide-y rounded-lg border">
            {items.map((item) => (
              <TrashRow key={item.id} item={item} chosen={chosen.has(item.id)} onChoose={(on) => choose([item], on)} />
            ))}
          </ul>
          {trash?.nextCursor && <More />}
        </>
      ) : (
        <Nothing known={trash !== null} />
      )}
    </Dialog>
  )
}

function Nothing({ known }: { known: boolean }) {
  const error = useAtomValue(trashErrorAtom)
  const fetch = useSetAtom(fetchTrashAtom)
  if (error) return <ErrorState title="The trash could not be loaded" message={error} onRetry={() => void fetch()} />
  if (known)
    return (
      <EmptyState icon="delete" title="The trash is empty">
        Deleted items can be restored here for {LIMITS.trashDays} days.
      </EmptyState>
    )
  return (
    <div role="status" aria-label="Loading the trash" className="grid gap-2">
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} className="h-14" />
      ))}
    </div>
  )
}

function Foot({ selected, onRestored }: { selected: readonly TrashedItem[]; onRestored: () => void }) {
  const restore = useSetAtom(restoreAtom)
  const restoreAll = useSetAtom(restoreAllAtom)
  const act = useAct()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    await act(async () => {
      await (selected.length > 0 ? restore(selected) : restoreAll())
      onRestored()
    })
    setBusy(false)
  }
  return (
    <Button variant="primary" icon="undo" loading={busy} onClick={() => void run()}>
      {selected.length > 0 ? `Restore ${itemCount(selected.length)}` : 'Restore all'}
    </Button>
  )
}

function More() {
  const fetchMore = useSetAtom(fetchMoreTrashAtom)
  const act = useAct()
  const [busy, setBusy] = useState(false)
  return (
    <Button
      className="mt-3 w-full"
      loading={busy}
      onClick={() => {
        setBusy(true)
        void act(fetchMore).finally(() => setBusy(false))
      }}
    >
      Show more
    </Button>
  )
}
