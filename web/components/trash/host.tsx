import { useState } from 'react'
import { lazyPart, OptionalPart } from '../optional-part.tsx'
import { useViewParam } from '../use-view-param.ts'

const TrashDialog = lazyPart(async () => (await import('./dialog.tsx')).TrashDialog)

const OPEN = 'open'
const parse = (text: string) => (text === OPEN ? OPEN : null)

/** Adds this to an address, and the trash is open over its page. */
export const TRASH_OPEN = { trash: OPEN }

/** The trash over whatever page is shown, while the address says so. */
export function TrashHost() {
  const [value, setValue] = useViewParam('trash', parse)
  const [needed, setNeeded] = useState(false)
  const open = value !== null
  if (open && !needed) setNeeded(true)
  return (
    needed && (
      <OptionalPart>
        <TrashDialog open={open} onClose={() => setValue(null, 'push')} />
      </OptionalPart>
    )
  )
}
