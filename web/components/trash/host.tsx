import { useState } from 'react'
import { lazyPart, OptionalPart } from '../optional-part.tsx'
import { useViewParam } from '../use-view-param.ts'

const TrashDialog = lazyPart(async () => (await import('./dialog.tsx')).TrashDialog)

const OPEN = 'open'
const parse = (text: string) => (text === OPEN ? OPEN : null)

/** Search parameters that open the trash over the current page. */
export const TRASH_OPEN = { trash: OPEN }

/** The trash over any page, while the URL says so. */
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
