import { useAtomValue } from 'jotai'
import { Trans } from '#say/react'
import { may } from '../../../contract/policy.ts'
import { selectedCollectionAtom } from '../../atoms/collections.ts'
import { Button } from '../../ui/button.tsx'
import { useOpen } from '../overlays/use-open.ts'
import { loadShare } from './launch.ts'

/**
 * In the header of every view of a collection, for those who may share all of it. Not with `useShare`, whose words for items would be in the first
 * script.
 */
export function ShareButton() {
  const collection = useAtomValue(selectedCollectionAtom)
  const open = useOpen()
  if (!collection || !may(collection.role, 'links.make')) return null
  return (
    <Button variant="ghost" icon="share" iconOnly onClick={() => void open(loadShare, { collection, chosen: undefined })}>
      <Trans context="verb">Share</Trans>
    </Button>
  )
}
