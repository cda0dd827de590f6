import { useAtomValue } from 'jotai'
import { useSyncExternalStore } from 'react'
import { t } from '#say'
import { liveStatusAtom } from '../../atoms/live.ts'
import { isOnline, onConnectionChange } from '../../lib/connection.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { UnsavedLine, useUnsavedWords } from '../outbox/unsaved-state.tsx'
import { useLasting } from '../use-lasting.ts'

/** Milliseconds without a connection before it is shown; connecting and changing rooms takes less. */
const WORTH_SAYING = 3_000

/** Shown only without a connection or with unsaved changes. */
export function ConnectionState({ className }: { className?: string }) {
  const online = useSyncExternalStore(onConnectionChange, isOnline)
  const status = useAtomValue(liveStatusAtom)
  const cut = useLasting(status === 'reconnecting' || status === 'disconnected', WORTH_SAYING)
  const words = online ? (status === 'reconnecting' ? t`Reconnecting…` : t`No live updates`) : t`Offline`
  const unsaved = useUnsavedWords()
  return (
    <div role="status" className={cx('grid gap-2', className)}>
      {unsaved && <UnsavedLine {...unsaved} />}
      {(!online || cut) && (
        // A small screen has room for one of the two.
        <span
          className={cx(
            'flex items-center gap-2 rounded-md bg-warning-soft px-2.5 py-1.5 text-sm text-warning',
            unsaved && 'max-lg:hidden',
          )}
        >
          <Icon name={online ? 'sync' : 'wifi-off'} size={18} />
          <span className="max-sm:sr-only in-data-[rail=narrow]:lg:sr-only">{words}</span>
        </span>
      )}
    </div>
  )
}
