import { useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router'
import { dismissOverlaysAtom } from '../atoms/overlays.ts'
import { OverlayOutlet } from '../components/overlays/overlay-outlet.tsx'
import { Toaster } from '../components/overlays/toaster.tsx'
import { ROUTER_PLACES } from '../lib/scroll/scroll-positions.ts'

/** Around every page: what lies above them, and where they were scrolled to. */
export function RootPage() {
  const { pathname } = useLocation()
  const dismissOverlays = useSetAtom(dismissOverlaysAtom)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what triggers it
  useEffect(() => dismissOverlays(), [pathname, dismissOverlays])
  return (
    <>
      <Outlet />
      <OverlayOutlet />
      <Toaster />
      <ScrollRestoration storageKey={ROUTER_PLACES} />
    </>
  )
}
