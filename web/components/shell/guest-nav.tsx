import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { t } from '#say'
import { Trans } from '#say/react'
import { guestAtom } from '../../atoms/guest.ts'
import { PATHS } from '../../lib/links.ts'
import { notifyShellReady } from '../../lib/shortcuts.ts'
import { Button } from '../../ui/button.tsx'
import { Mark } from '../../ui/mark.tsx'
import { UnsavedReview } from '../outbox/unsaved-state.tsx'
import { useOpen } from '../overlays/use-open.ts'
import { useWide } from '../use-wide.ts'
import { ConnectionState } from './connection-state.tsx'
import { SkipLink } from './skip-link.tsx'
import { BottomBar, RailLinks } from './view-links.tsx'

const loadName = async () => (await import('./guest-name-dialog.tsx')).GuestNameDialog

/** The shell for guests of a link: the views of its collection and nothing else of the app. */
export function GuestNav() {
  useEffect(notifyShellReady, [])
  const wide = useWide()
  return (
    <>
      <SkipLink />
      <div className="min-h-dvh lg:grid lg:grid-cols-[var(--rail-width)_1fr]">
        {wide ? <GuestRail /> : <TopBar />}
        <main id="content" tabIndex={-1} className="min-w-0 pb-[calc(3.5rem+env(safe-area-inset-bottom))] outline-none lg:pb-0">
          <Outlet />
        </main>
        {!wide && <BottomBar />}
        <UnsavedReview />
      </div>
    </>
  )
}

function GuestRail() {
  return (
    <aside aria-label={t`Shared with you`} className="sticky top-0 flex h-dvh flex-col gap-5 border-e bg-rail px-3 py-4">
      <Title />
      <nav aria-label={t`Views`} className="grow">
        <RailLinks narrow={false} />
      </nav>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <ConnectionState />
        <Name />
        <AccountLink />
      </div>
    </aside>
  )
}

function TopBar() {
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b bg-page px-3 pt-[env(safe-area-inset-top)] box-content">
      <div className="min-w-0 grow">
        <Title />
      </div>
      <ConnectionState />
      <Name />
    </header>
  )
}

function Title() {
  const title = useAtomValue(guestAtom)?.link.title
  return (
    <p className="flex min-w-0 items-center gap-2.5 px-1.5 py-1 font-semibold">
      <Mark size={26} />
      <bdi className="min-w-0 truncate">{title}</bdi>
    </p>
  )
}

/** What the guest is called. Whoever may not write needs no name. */
function Name() {
  const guest = useAtomValue(guestAtom)
  const open = useOpen()
  if (!guest || guest.link.allows === 'look') return null
  return (
    <Button variant="ghost" icon="person" className="max-w-full max-lg:max-w-40 lg:justify-start" onClick={() => void open(loadName, {})}>
      <bdi className="truncate">{guest.name ?? t`Your name`}</bdi>
    </Button>
  )
}

/** Signing in is not a part of the link's pages: the browser leaves them. */
function AccountLink() {
  return (
    <p className="px-1.5 text-sm text-muted">
      <Trans comment="Cairn is the program, not a person">
        Shared with{' '}
        <a href={PATHS.home} className="text-accent underline">
          Cairn
        </a>
      </Trans>
    </p>
  )
}
