import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { contentCompleteAtom } from '../../atoms/content.ts'
import { undoAtom } from '../../atoms/outbox.ts'
import { doneAtom } from '../../atoms/outbox-state.ts'
import type { Change } from '../../atoms/outbox-types.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { mayRemoveAtom } from '../../atoms/rights.ts'
import { offerDifferentAtom, someDifferentAtom } from '../../atoms/similar.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState, Skeleton } from '../../ui/states.tsx'
import { useAct } from '../overlays/use-act.ts'
import { SimilarSet } from './set.tsx'
import { useSimilarSets } from './use-similar-sets.ts'

/** Sets that are shown at first, and with each "Show more". */
const PORTION = 20

/** Photos of the open collection that look alike, to keep the best of each set. Nothing happens by itself. */
export function SimilarDialog({ open, close, onClosed }: OverlayProps<void>) {
  const sets = useSimilarSets()
  const complete = useAtomValue(contentCompleteAtom)
  const mayRemove = useAtomValue(mayRemoveAtom)
  const [shown, setShown] = useState(PORTION)
  const { list, settle } = useFocusAfter(sets)
  const latest = useLatestChange()
  const removable = !sets?.length || sets.some((set) => set.some(mayRemove))
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || close()}
      onClosed={onClosed}
      size="xl"
      full
      title="Similar photos"
      description={removable ? TIDYING : LOOKING}
      footer={latest && <Foot {...latest} />}
    >
      <div ref={list} className="grid gap-8">
        <p role="status" className="text-sm text-muted tabular">
          {sets && countText(sets.length, complete)}
        </p>
        {sets === null ? (
          <Waiting />
        ) : sets.length === 0 ? (
          <Nothing>{complete ? NOTHING : 'Not all photos of this collection are loaded yet.'}</Nothing>
        ) : (
          sets
            .slice(0, shown)
            .map((set, n) => (
              <SimilarSet
                key={set[0]?.id}
                set={set}
                title={`Set ${n + 1} of ${sets.length}`}
                onSettle={(leaving) => settle(leaving ? n : null)}
              />
            ))
        )}
        {sets && sets.length > shown && (
          <Button className="justify-self-center" onClick={() => setShown(shown + PORTION)}>
            Show more
          </Button>
        )}
        {sets && <Different />}
      </div>
    </Dialog>
  )
}

const TIDYING = 'Keep the best of each set. The others go to the trash, from where they can be restored.'
const LOOKING = 'Only those who added them, admins and the owner can move them to the trash.'
const NOTHING = 'Copies in another size or quality, and shots of almost the same moment, would be shown here.'

function countText(count: number, complete: boolean): string {
  const sets = count === 0 ? '' : count === 1 ? '1 set' : `${count.toLocaleString('en')} sets`
  return complete || !sets ? sets : `${sets} so far`
}

function Nothing({ children }: { children: ReactNode }) {
  return (
    <div data-similar="" tabIndex={-1} className="outline-none">
      <EmptyState icon="check-circle" title="Nothing here looks alike">
        {children}
      </EmptyState>
    </div>
  )
}

/** "They are different" is taken back for all of them at once. */
function Different() {
  const some = useAtomValue(someDifferentAtom)
  const offer = useSetAtom(offerDifferentAtom)
  return (
    some && (
      <Button variant="ghost" className="justify-self-center" onClick={offer}>
        Show again what was called different
      </Button>
    )
  )
}

/** The same as in the toast, which is out of reach of the keyboard while the dialog is open. */
function Foot({ id, title }: Change) {
  const undo = useSetAtom(undoAtom)
  const act = useAct()
  return (
    <>
      <p role="status" className="mr-auto text-sm tabular">
        {title} moved to the trash
      </p>
      <Button icon="undo" onClick={() => void act(() => undo(id))}>
        Undo
      </Button>
    </>
  )
}

/** The latest change since the dialog was opened that can be undone. */
function useLatestChange(): Change | undefined {
  const done = useAtomValue(doneAtom)
  const [before] = useState(() => new Set(done.map(({ id }) => id)))
  return done.findLast(({ id }) => !before.has(id))
}

function Waiting() {
  return (
    <div role="status" aria-label="Looking for similar photos" className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {['a', 'b', 'c'].map((key) => (
        <Skeleton key={key} className="aspect-square last:max-sm:hidden" />
      ))}
    </div>
  )
}

/** A set that is settled leaves, and with it the button that had the focus: the focus goes to the set that takes its place. */
function useFocusAfter(sets: readonly unknown[] | null) {
  const list = useRef<HTMLDivElement>(null)
  const settled = useRef<{ at: number; count: number } | null>(null)
  const count = sets?.length ?? 0
  useEffect(() => {
    const gone = settled.current
    if (!gone || count >= gone.count) return
    settled.current = null
    const places = list.current?.querySelectorAll<HTMLElement>('[data-similar]') ?? []
    places[Math.min(gone.at, places.length - 1)]?.focus()
  }, [count])
  return {
    list,
    settle: (at: number | null) => {
      settled.current = at === null ? null : { at, count }
    },
  }
}
