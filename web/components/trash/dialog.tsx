import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { plural, t } from '#say'
import { Trans } from '#say/react'
import { LIMITS } from '../../../contract/limits.ts'
import { unsavedCountAtom } from '../../atoms/pending.ts'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import {
  deletePermanentlyAtom,
  fetchMoreTrashAtom,
  fetchTrashAtom,
  restoreAllAtom,
  restoreAtom,
  type TrashedItem,
  trashErrorAtom,
  trashListAtom,
} from '../../atoms/trash.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { type Confirmation, useConfirm } from '../overlays/confirm-dialog.tsx'
import { useAct } from '../overlays/use-act.ts'
import { useChosen } from '../use-chosen.ts'
import { TrashRow } from './row.tsx'

export function TrashDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const trash = useAtomValue(trashListAtom)
  const fetch = useSetAtom(fetchTrashAtom)
  const unsaved = useAtomValue(unsavedCountAtom) > 0
  useEffect(() => {
    if (open && !unsaved) void fetch()
  }, [open, unsaved, fetch])
  const items = trash?.items ?? []
  const { chosen, selected, choose, clear } = useChosen(items)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="lg"
      title={t({ message: 'Trash', context: 'noun' })}
      description={t`Items that you can restore. They are deleted permanently after ${LIMITS.trashDays} days.`}
      footer={items.length > 0 && <Foot items={items} selected={selected} onDone={clear} />}
    >
      {items.length > 0 ? (
        <>
          <Checkbox
            className="px-1 pb-2"
            label={
              selected.length > 0 ? t`${plural(selected.length, { one: '# item selected', other: '# items selected' })}` : t`Select all`
            }
            checked={selected.length === items.length}
            onCheckedChange={(on) => choose(items, on)}
          />
          <ul aria-label={t`Deleted items`} className="divide-y rounded-lg border">
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
  if (error) return <ErrorState title={t`The trash could not be loaded`} message={error} onRetry={() => void fetch()} />
  if (known)
    return (
      <EmptyState icon="delete" title={t`The trash is empty`}>
        <Trans>Deleted items can be restored here for {LIMITS.trashDays} days.</Trans>
      </EmptyState>
    )
  return (
    <div role="status" aria-label={t`Loading the trash`} className="grid gap-2">
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} className="h-14" />
      ))}
    </div>
  )
}

/** Both buttons are about the selected items, or about all. */
function Foot({ items, selected, onDone }: { items: readonly TrashedItem[]; selected: readonly TrashedItem[]; onDone: () => void }) {
  const userId = useAtomValue(sessionUserIdAtom)
  const restore = useSetAtom(restoreAtom)
  const restoreAll = useSetAtom(restoreAllAtom)
  const deletePermanently = useSetAtom(deletePermanentlyAtom)
  const addToast = useSetAtom(addToastAtom)
  const confirm = useConfirm()
  const act = useAct()
  const [busy, setBusy] = useState<'restore' | 'delete' | null>(null)
  const some = selected.length > 0
  const own = (some ? selected : items).filter(({ user_id }) => user_id === userId)
  const run = async (what: 'restore' | 'delete', action: () => Promise<unknown>) => {
    if (busy) return
    setBusy(what)
    if (await act(action)) onDone()
    setBusy(null)
  }
  const onDelete = async () => {
    if (!(await confirm(some ? deleting(own.length) : emptying()))) return
    await run('delete', async () => {
      await deletePermanently(some ? own : undefined)
      const title = some
        ? t`${plural(own.length, { one: '# item deleted permanently', other: '# items deleted permanently' })}`
        : t`Trash emptied`
      addToast({ title, icon: 'check-circle' })
    })
  }
  return (
    <>
      {own.length > 0 && (
        <Button icon="delete" loading={busy === 'delete'} onClick={() => void onDelete()}>
          {some ? t`Delete permanently` : t`Empty trash`}
        </Button>
      )}
      <Button
        variant="primary"
        icon="undo"
        loading={busy === 'restore'}
        onClick={() => void run('restore', () => (some ? restore(selected) : restoreAll()))}
      >
        {some ? t`${plural(selected.length, { one: 'Restore # item', other: 'Restore # items' })}` : t`Restore all`}
      </Button>
    </>
  )
}

const deleting = (count: number): Confirmation => ({
  title: t`${plural(count, { one: 'Delete # item permanently?', other: 'Delete # items permanently?' })}`,
  description: t`This cannot be undone.`,
  confirm: t`Delete permanently`,
  danger: true,
})

const emptying = (): Confirmation => ({
  title: t`Empty the trash?`,
  description: t`All your own items in it are deleted permanently. Items of others that you may restore stay. This cannot be undone.`,
  confirm: t`Empty trash`,
  danger: true,
})

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
      <Trans>Show more</Trans>
    </Button>
  )
}
