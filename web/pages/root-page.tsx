import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { type Location, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { dismissOverlaysAtom } from '../atoms/overlays.ts'
import { closeToastAtom, toastsAtom } from '../atoms/toasts.ts'
import { lazyPart, OptionalPart } from '../components/optional-part.tsx'
import { OverlayOutlet } from '../components/overlays/overlay-outlet.tsx'
import { PageStatus } from '../components/page-status.tsx'
import { pageOf } from '../components/use-view-param.ts'
import { fetchAhead } from '../lib/load-failure.ts'
import { ROUTER_SCROLL_POSITIONS } from '../lib/scroll/scroll-positions.ts'

/** Around every page: its announcement, overlays, toasts and scroll restoration. */
export function RootPage() {
  const page = pageOf(useLocation())
  const dismissOverlays = useSetAtom(dismissOverlaysAtom)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the page or its collection changes
  useEffect(() => dismissOverlays(), [page, dismissOverlays])
  return (
    <>
      <Outlet />
      <PageStatus page={page} />
      <OverlayOutlet />
      <Toaster />
      <ScrollRestoration storageKey={ROUTER_SCROLL_POSITIONS} getKey={scrollKey} />
    </>
  )
}

/** The first entry of every document has the key `default`: a URL typed over a scrolled page would open as far down. */
const scrollKey = ({ key, pathname }: Location) => (key === 'default' ? pathname : key)

const load = () => import('../ui/toast.tsx')
const ToastStack = lazyPart(async () => (await load()).ToastStack)

/** Once at the root. Its code is not part of the first load, but is loaded before a lost connection has to be reported. */
function Toaster() {
  const toasts = useAtomValue(toastsAtom)
  const close = useSetAtom(closeToastAtom)
  const [needed, setNeeded] = useState(false)
  useEffect(() => fetchAhead(load), [])
  if (toasts.length > 0 && !needed) setNeeded(true)
  return <OptionalPart>{needed && <ToastStack toasts={toasts} onClose={close} />}</OptionalPart>
}
