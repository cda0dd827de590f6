import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { clearSelectionAtom, selectingAtom } from '../../atoms/selection.ts'
import { viewAt } from '../../lib/links.ts'
import { fetchAhead } from '../../lib/load-failure.ts'
import { lazyPart, OptionalPart } from '../optional-part.tsx'
import { useSelectionKeys } from './use-selection-keys.ts'

const load = () => import('./bar.tsx')
const BulkBar = lazyPart(async () => (await load()).BulkBar)

/** Shows the bulk bar in every view that lists items. */
export function BulkHost() {
  const selecting = useAtomValue(selectingAtom)
  const view = viewAt(useLocation().pathname)
  useEffect(() => fetchAhead(load), [])
  return selecting && view?.shows !== null && <Bar />
}

function Bar() {
  const [removePending, setRemovePending] = useState(false)
  return (
    <OptionalPart waiting={<KeysAhead onRemove={() => setRemovePending(true)} />}>
      <BulkBar removePending={removePending} onRemoveDone={() => setRemovePending(false)} />
    </OptionalPart>
  )
}

/** Shortcuts that work before the bar has loaded: Esc acts at once, Delete waits for the bar. */
function KeysAhead({ onRemove }: { onRemove: () => void }) {
  useSelectionKeys({ clear: useSetAtom(clearSelectionAtom), remove: onRemove })
  return null
}
