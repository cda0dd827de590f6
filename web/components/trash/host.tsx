import { useEffect, useRef, useState } from 'react'
import { lazyPart, OptionalPart } from '../optional-part.tsx'
import { useStepBack } from '../use-step-back.ts'
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
  const stepBack = useStepBack('trash')
  const pushed = useRef(false)
  useEffect(() => {
    // From now on, opening adds a history entry, which closing undoes.
    if (!open) pushed.current = true
  }, [open])
  if (open && !needed) setNeeded(true)
  return (
    needed && (
      <OptionalPart>
        <TrashDialog open={open} onClose={() => (pushed.current ? stepBack() : setValue(null, 'replace'))} />
      </OptionalPart>
    )
  )
}
