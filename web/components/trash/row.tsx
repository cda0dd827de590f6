import { useAtomValue, useSetAtom } from 'jotai'
import { plural, t } from '#say'
import { Trans } from '#say/react'
import { collectionsAtom } from '../../atoms/collections.ts'
import { restoreAtom, type TrashedItem } from '../../atoms/trash.ts'
import { nameOfItem } from '../../lib/bulk/words.ts'
import { Button } from '../../ui/button.tsx'
import { ItemRow } from '../item-row.tsx'
import { useAct } from '../overlays/use-act.ts'

interface TrashRowProps {
  item: TrashedItem
  chosen: boolean
  onChoose: (on: boolean) => void
}

export function TrashRow({ item, chosen, onChoose }: TrashRowProps) {
  const restore = useSetAtom(restoreAtom)
  const act = useAct()
  return (
    <ItemRow item={item} details={[daysLeft(item.purged_at), ...useNames(item)].join(' · ')} chosen={chosen} onChoose={onChoose}>
      <Button variant="ghost" size="sm" onClick={() => void act(() => restore([item]))}>
        <Trans>
          Restore<span className="sr-only"> {nameOfItem(item)}</span>
        </Trans>
      </Button>
    </ItemRow>
  )
}

/** The collections that it returns to, as far as the user is a member. */
function useNames({ collections }: TrashedItem): string[] {
  const known = useAtomValue(collectionsAtom) ?? []
  return known.filter(({ id }) => collections.some(({ collection_id }) => collection_id === id)).map(({ name }) => name)
}

/** `12 days left`, until permanent deletion. */
function daysLeft(purgedAt: string, now = Date.now()): string {
  const days = Math.ceil((Date.parse(purgedAt) - now) / 86_400_000)
  if (days <= 0) return t`Any moment now`
  return t`${plural(days, { one: '# day left', other: '# days left' })}`
}
