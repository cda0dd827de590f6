import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useLayoutEffect } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { t } from '#say'
import { railNarrowAtom } from '../../atoms/rail.ts'
import { insideCollectionAtom } from '../../atoms/theme.ts'
import { PATHS, viewAt } from '../../lib/links.ts'
import { notifyShellReady } from '../../lib/shortcuts.ts'
import { cx } from '../../ui/cx.ts'
import { Mark } from '../../ui/mark.tsx'
import { latePart, lazyPart, OptionalPart } from '../optional-part.tsx'
import { UnsavedReview } from '../outbox/unsaved-state.tsx'
import { TrashHost } from '../trash/host.tsx'
import { useWide } from '../use-wide.ts'
import { CollectionPicker } from './collection-picker.tsx'
import { ConnectionState } from './connection-state.tsx'
import { PaletteIcon } from './palette-button.tsx'
import { PersonMenu } from './person-menu.tsx'
import { Rail } from './rail.tsx'
import { SkipLink } from './skip-link.tsx'
import { BottomBar } from './view-links.tsx'

const UploadTray = latePart(async () => (await import('../uploads/tray.tsx')).UploadTray)

const ShellKeys = lazyPart(async () => (await import('../palette/shell-keys.tsx')).ShellKeys)

/** The shell around everything that needs a session. The document itself scrolls, so that long lists can use the window. */
export function AppNav() {
  useEffect(notifyShellReady, [])
  const narrow = useAtomValue(railNarrowAtom)
  const wide = useWide()
  const setInside = useSetAtom(insideCollectionAtom)
  const inside = viewAt(useLocation().pathname) !== null
  useLayoutEffect(() => setInside(inside), [inside, setInside])
  return (
    <>
      <SkipLink />
      <div className={cx('min-h-dvh lg:grid', narrow ? 'lg:grid-cols-[var(--rail-narrow)_1fr]' : 'lg:grid-cols-[var(--rail-width)_1fr]')}>
        {wide ? <Rail narrow={narrow} /> : <TopBar />}
        <main
          id="content"
          tabIndex={-1}
          className="min-w-0 pb-[calc(3.5rem+env(safe-area-inset-bottom)+var(--bulk-bar,0px))] outline-none lg:pb-[var(--bulk-bar,0px)]"
        >
          <Outlet />
        </main>
        {!wide && <BottomBar />}
        <OptionalPart>
          <UploadTray />
        </OptionalPart>
        <UnsavedReview />
        <TrashHost />
        <OptionalPart>
          <ShellKeys />
        </OptionalPart>
      </div>
    </>
  )
}

/** Shown where there is no rail. */
function TopBar() {
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b bg-page px-3 pt-[env(safe-area-inset-top)] box-content">
      <Link to={PATHS.collections} aria-label={t`All collections`} className="grid size-11 place-items-center rounded-md">
        <Mark size={26} />
      </Link>
      <div className="min-w-0 grow">
        <CollectionPicker />
      </div>
      <ConnectionState />
      <PaletteIcon />
      <div className="w-11">
        <PersonMenu compact />
      </div>
    </header>
  )
}
