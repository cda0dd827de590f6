import { useAtomValue, useSetAtom } from 'jotai'
import { type ComponentType, Suspense, useCallback } from 'react'
import { askAtom, closeOverlayAtom, type OverlayProps, overlaysAtom, unmountOverlayAtom } from '../../atoms/overlays.ts'

/** Renders every overlay that is open or still closing. Once, at the root. */
export function OverlayOutlet() {
  const overlays = useAtomValue(overlaysAtom)
  const close = useSetAtom(closeOverlayAtom)
  const unmount = useSetAtom(unmountOverlayAtom)
  return overlays.map(({ id, component: Component, props, open }) => (
    <Suspense key={id}>
      <Component {...props} open={open} close={(result) => close(id, result)} onClosed={() => unmount(id)} />
    </Suspense>
  ))
}

/** `await ask(ShareDialog, { collection })`: opens a dialog once and resolves to its result, undefined when dismissed. */
export function useAsk() {
  const ask = useSetAtom(askAtom)
  return useCallback(
    <P extends object, R>(component: ComponentType<P & OverlayProps<R>>, props: P): Promise<R | undefined> =>
      // The props match the component that they were given for, and only that component produces the result.
      ask({ component: component as ComponentType<OverlayProps<unknown>>, props }) as Promise<R | undefined>,
    [ask],
  )
}
