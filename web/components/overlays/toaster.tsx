import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { closeToastAtom, toastsAtom } from '../../atoms/toasts.ts'
import { fetchAhead } from '../../lib/load-failure.ts'
import { lazyPart, OptionalPart } from '../optional-part.tsx'

const load = () => import('../../ui/toast.tsx')
const ToastStack = lazyPart(async () => (await load()).ToastStack)

/** Once at the root. Its code is no part of the first load, but is there before a lost connection has to be told. */
export function Toaster() {
  const toasts = useAtomValue(toastsAtom)
  const close = useSetAtom(closeToastAtom)
  const [needed, setNeeded] = useState(false)
  useEffect(() => fetchAhead(load), [])
  if (toasts.length > 0 && !needed) setNeeded(true)
  return <OptionalPart>{needed && <ToastStack toasts={toasts} onClose={close} />}</OptionalPart>
}
