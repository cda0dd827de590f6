import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { say } from '#language'
import { msg, plural, t } from '#say'
import { Trans } from '#say/react'
import type { Asset } from '../../../contract/assets.ts'
import { contentCompleteAtom } from '../../atoms/content.ts'
import { undoAtom } from '../../atoms/outbox.ts'
import { doneAtom } from '../../atoms/outbox-state.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { mayRemoveAtom } from '../../atoms/rights.ts'
import { offerDifferentAtom, someDifferentAtom, takeBackDifferentAtom } from '../../atoms/similar.ts'
import { afterPaint } from '../../lib/scheduling.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState, FailedNotice, Skeleton } from '../../ui/states.tsx'
import { useAct } from '../overlays/use-act.ts'
import { SimilarSet, type SimilarSetProps, type Trashed } from './set.tsx'
import { useSimilarSets } from './use-similar-sets.ts'

/** Sets that are shown at first, and with each "Show more". */
const PORTION = 20

/** Photos of the open collection that look alike, to keep the best of each set. Nothing happens by itself. */
export function SimilarDialog({ open, close, onClosed }: OverlayProps<void>) {
  const { sets, failed, again } = useSimilarSets()
  const complete = useAtomValue(contentCompleteAtom)
  const mayRemove = useAtomValue(mayRemoveAtom)
  const { list, settle } = useFocusNextSet(sets)
  const { last, add } = useTrashed()
  const removable = !sets?.length || sets.some((set) => set.some(mayRemove))
  return (
    <Dialog
      open={open}
      onClose={close}
      onClosed={onClosed}
      size="xl"
      full
      title={t`Similar photos`}
      description={say(removable ? TIDYING : LOOKING)}
      footer={last && <Foot {...last} />}
    >
      <div ref={list} className="grid gap-8">
        <p role="status" className="text-sm text-muted tabular-nums">
          {sets && countText(sets.length, complete)}
        </p>
        {failed && <FailedNotice message={t`The search for similar photos has failed.`} onRetry={again} />}
        {sets ? <Sets sets={sets} settle={settle} onTrashed={add} /> : !failed && <Waiting />}
        {sets?.length === 0 && !failed && <Nothing complete={complete} />}
        {sets && <Different />}
      </div>
    </Dialog>
  )
}

interface SetsProps extends Pick<SimilarSetProps, 'onTrashed'> {
  sets: readonly Asset[][]
  settle: (id: string, at: number, work: () => Promise<void>) => Promise<void>
}

function Sets({ sets, settle, onTrashed }: SetsProps) {
  const [shown, setShown] = useState(PORTION)
  return (
    <>
      {sets.slice(0, shown).map((set, n) => (
        <SimilarSet
          key={set[0]?.id}
          set={set}
          title={t({ message: `Set ${n + 1} of ${sets.length}`, comment: 'A set of similar photos' })}
          settle={(work) => settle(set[0]?.id ?? '', n, work)}
          onTrashed={onTrashed}
        />
      ))}
      {sets.length > shown && (
        <Button className="justify-self-center" onClick={() => setShown(shown + PORTION)}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </>
  )
}

const TIDYING = msg`Keep the best of each set. The others go to the trash, from where they can be restored.`
const LOOKING = msg`Only those who added them, admins and the owner can move them to the trash.`
const NOTHING = msg`Copies in another size or quality, and shots of almost the same moment, would be shown here.`

function countText(count: number, complete: boolean): string {
  if (count === 0) return ''
  return complete
    ? t`${plural(count, { one: '# set', other: '# sets' })}`
    : t`${plural(count, { one: '# set so far', other: '# sets so far' })}`
}

function Nothing({ complete }: { complete: boolean }) {
  return (
    <div data-similar="" tabIndex={-1} className="outline-none">
      {complete ? (
        <EmptyState icon="check-circle" title={t`Nothing here looks alike`}>
          {say(NOTHING)}
        </EmptyState>
      ) : (
        <EmptyState title={t`Still loading`}>
          <Trans>Not all photos of this collection are loaded yet.</Trans>
        </EmptyState>
      )}
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
        <Trans>Show the ones marked as different again</Trans>
      </Button>
    )
  )
}

/** The same as in the toast, which is out of reach of the keyboard while the dialog is open. */
function Foot({ change, kept }: Trashed) {
  const undo = useSetAtom(undoAtom)
  const takeBackDifferent = useSetAtom(takeBackDifferentAtom)
  const act = useAct()
  const takeBack = async () => {
    await undo(change.id)
    takeBackDifferent(kept)
  }
  return (
    <>
      <p role="status" className="me-auto text-sm tabular-nums">
        {change.title}
      </p>
      <Button icon="undo" onClick={() => void act(takeBack)}>
        <Trans>Undo</Trans>
      </Button>
    </>
  )
}

/** What was trashed in this dialog; `last` is what was trashed last and not taken back since, here or elsewhere. */
function useTrashed() {
  const done = useAtomValue(doneAtom)
  const [trashed, setTrashed] = useState<readonly Trashed[]>([])
  return {
    last: trashed.findLast(({ change }) => done.some(({ id }) => id === change.id)),
    add: (one: Trashed) => setTrashed((others) => [...others, one]),
  }
}

function Waiting() {
  return (
    <div role="status" aria-label={t`Looking for similar photos`} className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {['a', 'b', 'c'].map((key) => (
        <Skeleton key={key} className="aspect-square last:max-sm:hidden" />
      ))}
    </div>
  )
}

/** A set that is settled leaves, and with it the button that had the focus: the focus goes to the set that takes its place. */
function useFocusNextSet(sets: readonly Asset[][] | null) {
  const list = useRef<HTMLDivElement>(null)
  const leaving = useRef<{ id: string; at: number } | null>(null)
  useEffect(() => {
    const gone = leaving.current
    if (!gone || sets?.some(([first]) => first?.id === gone.id)) return
    leaving.current = null
    const places = list.current?.querySelectorAll<HTMLElement>('[data-similar]') ?? []
    places[Math.min(gone.at, places.length - 1)]?.focus()
  }, [sets])
  return {
    list,
    /** `id` is that of the set's first photo, `at` the place of the set. */
    settle: async (id: string, at: number, work: () => Promise<void>) => {
      const mine = { id, at }
      leaving.current = mine
      await work()
      // A set that is still on the screen then has not left: if it does later, somebody else has the focus.
      await afterPaint()
      if (leaving.current === mine) leaving.current = null
    },
  }
}
