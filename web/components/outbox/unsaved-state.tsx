import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { plural, t } from '#say'
import { offlineAtom, REVIEW_LIST, reviewAtom, stuckCountAtom, unsavedCountAtom } from '../../atoms/pending.ts'
import { isOnline, onConnectionChange } from '../../lib/connection.ts'
import { fetchAhead } from '../../lib/load-failure.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart, OptionalPart } from '../optional-part.tsx'
import { useLasting } from '../use-lasting.ts'

const load = () => import('./unsaved-dialogs.tsx')
const UnsavedDialogs = lazyPart(async () => (await load()).UnsavedDialogs)

/** Milliseconds that saving may take before it is shown. */
const WORTH_SAYING = 1_500

/** Describes unsaved changes; null while there are none to show. */
export function useUnsavedWords(): { words: string; stuck: boolean } | null {
  const count = useAtomValue(unsavedCountAtom)
  const stuck = useAtomValue(stuckCountAtom)
  const cutOff = useAtomValue(offlineAtom)
  const online = useSyncExternalStore(onConnectionChange, isOnline) && !cutOff
  const slow = useLasting(count > 0, WORTH_SAYING)
  useEffect(() => fetchAhead(load), [])
  if (count === 0 || !(stuck > 0 || !online || slow)) return null
  return { words: wordsFor(count, stuck, online), stuck: stuck > 0 }
}

/** The state of unsaved changes, in a line that opens the list. */
export function UnsavedLine({ words, stuck }: { words: string; stuck: boolean }) {
  const setReview = useSetAtom(reviewAtom)
  return (
    <button
      type="button"
      onClick={() => setReview(REVIEW_LIST)}
      className={cx(
        'flex min-h-8 w-full items-center gap-2 rounded-md px-2.5 py-1.5 text-start text-sm pointer-coarse:min-h-11',
        stuck ? 'bg-danger-soft text-danger' : 'bg-warning-soft text-warning',
      )}
    >
      <Icon name={stuck ? 'warning' : 'cloud-upload'} size={18} />
      <span className="max-sm:sr-only in-data-[rail=narrow]:lg:sr-only">{words}</span>
    </button>
  )
}

/** The dialogs opened by the line and by toasts. Rendered once, in the shell. */
export function UnsavedReview() {
  const [review, setReview] = useAtom(reviewAtom)
  const [needed, setNeeded] = useState(false)
  if (review !== null && !needed) setNeeded(true)
  return <OptionalPart>{needed && <UnsavedDialogs review={review} onReview={setReview} />}</OptionalPart>
}

function wordsFor(count: number, stuck: number, online: boolean): string {
  if (stuck > 0) return t`${plural(stuck, { one: '# change needs your attention', other: '# changes need your attention' })}`
  return online
    ? t`${plural(count, { one: 'Saving # change…', other: 'Saving # changes…' })}`
    : t`${plural(count, { one: '# change is waiting for a connection', other: '# changes are waiting for a connection' })}`
}
