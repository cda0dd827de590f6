import { useLayoutEffect, useSyncExternalStore } from 'react'
import { Trans } from '#say/react'
import { isOnline, onConnectionChange } from '../lib/connection.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'

/** Covers the page while a component loads. Esc closes it; offline, it says so. */
export function WaitingPart({ className, onClose }: { className: string; onClose: () => void }) {
  const online = useSyncExternalStore(onConnectionChange, isOnline)
  // Before paint: the user may press a key as soon as it is visible.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && onClose()
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [onClose])
  return (
    <div className={cx('fixed inset-0 grid animate-fade-in place-items-center p-6', className)}>
      {!online && (
        <div className="grid max-w-sm justify-items-center gap-4 rounded-lg bg-raised p-6 text-center text-default shadow-raised">
          <p role="status" className="text-pretty">
            <Trans>This part of Cairn is not on this device yet. It loads when you are back online.</Trans>
          </p>
          <Button onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        </div>
      )}
    </div>
  )
}
