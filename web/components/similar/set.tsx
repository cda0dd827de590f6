import { useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'
import type { Asset } from '../../../contract/assets.ts'
import { mayRemoveAtom } from '../../atoms/rights.ts'
import { callDifferentAtom, postTitlesAtom } from '../../atoms/similar.ts'
import { missingIn } from '../../lib/similar/best.ts'
import { Button } from '../../ui/button.tsx'
import { useAct } from '../overlays/use-act.ts'
import { useTrashItems } from '../trash/use-trash-items.ts'
import { SimilarPhoto } from './photo.tsx'

interface SimilarSetProps {
  /** The best one first. */
  set: readonly Asset[]
  title: string
  /** Runs before the set leaves; with false if it stays after all. */
  onSettle: (leaving: boolean) => void
}

/** Photos that look alike, side by side. The best one is kept unless the user chooses otherwise, and what is in a post or has parts as well. */
export function SimilarSet({ set, title, onSettle }: SimilarSetProps) {
  const id = useId()
  const mayRemove = useAtomValue(mayRemoveAtom)
  const postsOf = useAtomValue(postTitlesAtom)
  const callDifferent = useSetAtom(callDifferentAtom)
  const trash = useTrashItems()
  const act = useAct()
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map())
  const isKept = (asset: Asset) =>
    !mayRemove(asset) || (choices.get(asset.id) ?? (asset === set[0] || Boolean(asset.group) || postsOf(asset.id).length > 0))
  const kept = set.filter(isKept)
  const gone = set.filter((asset) => !isKept(asset))
  const missing = missingIn(kept, gone)
  const keep = async () => {
    onSettle(true)
    let done = false
    await act(async () => {
      done = await trash.remove(gone)
    })
    if (!done) onSettle(false)
  }
  return (
    <section data-similar="" tabIndex={-1} aria-labelledby={id} className="grid gap-3 outline-none">
      <h3 id={id} className="font-semibold tabular">
        {title}
      </h3>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {set.map((asset) => (
          <SimilarPhoto
            key={asset.id}
            asset={asset}
            best={asset === set[0]}
            posts={postsOf(asset.id)}
            kept={isKept(asset)}
            onKeep={mayRemove(asset) ? (on) => setChoices(new Map(choices).set(asset.id, on)) : undefined}
          />
        ))}
      </ul>
      {missing && (
        <p role="status" className="text-sm text-pretty">
          Only what goes to the trash has {missing}. It is not copied to what you keep.
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          onClick={() => {
            onSettle(true)
            callDifferent(set.map((asset) => asset.id))
          }}
        >
          They are different
        </Button>
        {set.some(mayRemove) && (
          <Button variant="primary" icon="delete" disabledReason={reasonAgainst(kept, gone)} onClick={() => void keep()}>
            {kept.length === 1 && kept[0] === set[0] ? 'Keep the best' : `Keep ${kept.length} of ${set.length}`}
          </Button>
        )}
      </div>
    </section>
  )
}

function reasonAgainst(kept: readonly Asset[], gone: readonly Asset[]): string | undefined {
  if (kept.length === 0) return 'Keep at least one'
  return gone.length === 0 ? 'All of them are kept' : undefined
}
