import { useAtomValue, useSetAtom } from 'jotai'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { LIMITS } from '../../../contract/limits.ts'
import { bulkRefusalsAtom, selectedItemsAtom } from '../../atoms/bulk.ts'
import { stackingAtom, stackSelectedAtom, unstackAtom } from '../../atoms/groups.ts'
import { clearSelectionAtom, hiddenSelectionCountAtom, selectAllAtom, selectedAssetsAtom } from '../../atoms/selection.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { itemsText } from '../../lib/bulk/words.ts'
import { saveFiles } from '../../lib/save-files.ts'
import { perform } from '../../lib/shortcuts.ts'
import { Button } from '../../ui/button.tsx'
import { useClosedByBack } from '../../ui/closed-by-back.ts'
import { focusAfter } from '../focus-after.ts'
import { useAct } from '../overlays/use-act.ts'
import { useOpen } from '../overlays/use-open.ts'
import { useShare } from '../sharing/use-share.ts'
import { useTrashItems } from '../trash/use-trash-items.ts'
import { useShortcut } from '../use-shortcut.ts'
import { BulkAction } from './action.tsx'
import { BulkCollections } from './collections.tsx'
import { useSelectionKeys } from './use-selection-keys.ts'

const loadDate = async () => (await import('./date-dialog.tsx')).BulkDateDialog
const loadLocation = async () => (await import('./location-dialog.tsx')).BulkLocationDialog
const loadPeople = async () => (await import('./people-dialog.tsx')).BulkPeopleDialog

interface BulkBarProps {
  /** Delete was pressed before the bar had loaded. */
  removePending: boolean
  onRemoveDone: () => void
}

/** The number of selected posts and photos, and the bulk actions. The same in every view. */
export function BulkBar({ removePending, onRemoveDone }: BulkBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const items = useAtomValue(selectedItemsAtom)
  const assets = useAtomValue(selectedAssetsAtom)
  const hidden = useAtomValue(hiddenSelectionCountAtom)
  const refused = useAtomValue(bulkRefusalsAtom)
  const clear = useSetAtom(clearSelectionAtom)
  const selectAll = useSetAtom(selectAllAtom)
  const addToast = useSetAtom(addToastAtom)
  const { group, refusal } = useAtomValue(stackingAtom)
  const [stack, unstack] = [useSetAtom(stackSelectedAtom), useSetAtom(unstackAtom)]
  const trash = useTrashItems()
  const { share, whyNot } = useShare()
  const open = useOpen()
  const act = useAct()
  const back = useRoom(bar)
  const remove = () => {
    if (items.length === 0) return
    if (refused.remove) addToast({ id: 'may-not-remove', title: refused.remove, icon: 'info' })
    else void act(() => trash.remove(items))
  }
  const leave = () => {
    const focusNext = bar.current?.contains(document.activeElement) ? focusAfter(items) : null
    clear()
    if (!back()) focusNext?.()
  }
  useClosedByBack(items.length > 0, leave)
  const makeStack = async () => {
    const focusNext = focusAfter(items)
    await stack()
    focusNext()
  }
  useSelectionKeys({ clear: leave, remove })
  useEffect(() => {
    if (!removePending) return
    onRemoveDone()
    remove()
  })
  if (items.length === 0) return null
  const count = t`${itemsText(items)} selected`
  const files =
    assets.length === 0
      ? t`Posts cannot be downloaded`
      : assets.length > MAX_DOWNLOADS
        ? t`Download at most ${MAX_DOWNLOADS} at once`
        : undefined
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t`Selected items`}
      className="fixed inset-x-3 bottom-[calc(4.25rem+env(safe-area-inset-bottom))] z-33 mx-auto flex max-w-xl animate-rise-in flex-wrap items-center gap-1 rounded-xl border bg-raised p-1.5 shadow-raised lg:end-4 lg:bottom-5 lg:start-[calc(var(--rail-width)+1rem)] lg:w-fit lg:max-w-5xl lg:flex-nowrap lg:in-data-[rail=narrow]:start-[calc(var(--rail-narrow)+1rem)]"
    >
      <Button variant="ghost" icon="close" iconOnly onClick={leave}>
        <Trans>Clear selection (Esc)</Trans>
      </Button>
      <p role="status" className="min-w-0 grow px-1 leading-tight font-medium tabular-nums max-lg:basis-0 lg:pe-3">
        <span className="line-clamp-2">{count}</span>
        {hidden > 0 && (
          <span className="block truncate text-xs font-normal text-muted">
            <Trans>{hidden} hidden by filters</Trans>
          </span>
        )}
      </p>
      <Button variant="ghost" icon="share" iconOnly disabledReason={whyNot(items)} onClick={() => share(items)}>
        <Trans context="verb">Share</Trans>
      </Button>
      <Button variant="ghost" icon="select-all" iconOnly onClick={() => perform('select-all') || selectAll()}>
        <Trans>Select all (Ctrl A)</Trans>
      </Button>
      <div className="flex w-full flex-wrap gap-0.5 lg:w-auto lg:flex-nowrap lg:border-s lg:ps-1">
        <BulkCollections />
        <BulkAction icon="calendar-today" label={t`Date`} disabledReason={refused.edit} onClick={() => void open(loadDate, {})} />
        <BulkAction icon="location-on" label={t`Place`} disabledReason={refused.edit} onClick={() => void open(loadLocation, {})} />
        <BulkAction icon="person" label={t`People`} disabledReason={refused.edit} onClick={() => void open(loadPeople, {})} />
        <BulkAction
          icon="stacks"
          label={group ? t`Unstack` : t({ message: 'Stack', context: 'verb' })}
          disabledReason={refusal}
          onClick={() => void act(() => (group ? unstack(group) : makeStack()))}
        />
        <BulkAction
          icon="download"
          label={t({ message: 'Download', context: 'verb' })}
          disabledReason={files}
          onClick={() => void act(() => saveFiles(assets))}
        />
        <BulkAction
          icon="delete"
          label={t({ message: 'Trash', context: 'verb' })}
          name={t`Move to trash (Delete)`}
          disabledReason={refused.remove}
          onClick={remove}
        />
      </div>
    </div>
  )
}

/**
 * Reserves space for the bar at the bottom of the page and registers it for the focus shortcut. Returns a function that restores the focus, if the
 * shortcut moved it, and returns whether it did.
 */
function useRoom(bar: RefObject<HTMLDivElement | null>): () => boolean {
  const from = useRef<Element | null>(null)
  useLayoutEffect(() => {
    const element = bar.current
    if (!element) return
    const root = document.documentElement
    const measure = () => root.style.setProperty('--bulk-bar', `${element.offsetHeight + 16}px`)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => {
      observer.disconnect()
      root.style.removeProperty('--bulk-bar')
    }
  })
  useShortcut('selection', () => {
    from.current = document.activeElement
    bar.current?.querySelector<HTMLElement>('[data-bulk-first]')?.focus()
  })
  return () => {
    if (!(from.current instanceof HTMLElement && from.current.isConnected)) return false
    from.current.focus({ preventScroll: true })
    return true
  }
}

/** A whole burst. */
const MAX_DOWNLOADS = LIMITS.partsPerGroup
