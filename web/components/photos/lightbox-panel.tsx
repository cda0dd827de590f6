import type { ReactNode } from 'react'
import { Trans } from '#say/react'
import { Button } from '../../ui/button.tsx'

interface LightboxPanelProps {
  name: string
  title: ReactNode
  /** Before the button that closes it. */
  actions?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** Beside the photo on wide screens, over its lower half on small ones. */
export function LightboxPanel({ name, title, actions, onClose, children }: LightboxPanelProps) {
  return (
    <aside
      aria-label={name}
      className="fixed inset-x-0 bottom-0 z-10 flex h-[50dvh] animate-rise-in flex-col overflow-y-auto rounded-t-2xl bg-raised lg:border-s pb-[env(safe-area-inset-bottom)] text-default select-text lg:inset-y-0 lg:start-auto lg:h-auto lg:w-88 lg:rounded-none"
    >
      <header className="sticky top-0 z-30 flex items-center gap-1 bg-raised py-3 pe-3 ps-5">
        <h2 className="grow font-semibold">{title}</h2>
        {actions}
        <Button variant="ghost" size="sm" icon="close" iconOnly onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      </header>
      {children}
    </aside>
  )
}
