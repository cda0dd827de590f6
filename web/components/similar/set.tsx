import { useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'
import { listText } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Asset } from '../../../contract/assets.ts'
import type { Change } from '../../atoms/outbox-types.ts'
import { mayRemoveAtom } from '../../atoms/rights.ts'
import { alsoInAtom, callDifferentAtom, postsShowingAtom } from '../../atoms/similar.ts'
import { withPartsAtom } from '../../atoms/tiles.ts'
import { missingIn } from '../../lib/similar/best.ts'
import { doubtAbout } from '../../lib/similar/keep.ts'
import { Button } from '../../ui/button.tsx'
import { useAct } from '../overlays/use-act.ts'
import { useTrashItems } from '../trash/use-trash-items.ts'
import { SimilarPhoto } from './photo.tsx'
import { useChoices } from './use-choices.ts'

/** Photos that are shown of a set at first, and with each "Show more". Nothing is done with others. */
const PORTION = 24

/** Photos that somebody has moved to the trash, and those that were kept instead. */
export interface Trashed {
  change: Change
  kept: string[]
}

export interface SimilarSetProps {
  /** The best one first. */
  set: readonly Asset[]
  title: string
  /** Does what makes the set leave, and takes care of the focus. */
  settle: (work: () => Promise<void>) => Promise<void>
  onTrashed: (trashed: Trashed) => void
}

/** Photos that look alike, side by side, and what becomes of them. */
export function SimilarSet({ set, title, settle, onTrashed }: SimilarSetProps) {
  const id = useId()
  const mayRemove = useAtomValue(mayRemoveAtom)
  const postsOf = useAtomValue(postsShowingAtom)
  const alsoIn = useAtomValue(alsoInAtom)
  const callDifferent = useSetAtom(callDifferentAtom)
  const trash = useTrashItems()
  const act = useAct()
  const [limit, setLimit] = useState(PORTION)
  const shown = set.slice(0, limit)
  const { isKept, choose } = useChoices(shown)
  const kept = shown.filter(isKept)
  const gone = shown.filter((asset) => !isKept(asset))
  const doubt = doubtAbout(shown)
  const keep = async () => {
    await act(async () => {
      const change = await trash.remove(gone)
      if (!change) return
      const ids = kept.map((asset) => asset.id)
      // What somebody keeps side by side is not offered again.
      if (ids.length > 1) callDifferent(ids)
      onTrashed({ change, kept: ids })
    })
  }
  return (
    <section data-similar="" tabIndex={-1} aria-labelledby={id} className="grid gap-3 outline-none">
      <div>
        <h3 id={id} className="font-semibold tabular-nums">
          {title}
        </h3>
        {doubt && <p className="text-sm text-muted">{doubt}</p>}
      </div>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {shown.map((asset) => (
          <SimilarPhoto
            key={asset.id}
            asset={asset}
            best={asset === set[0]}
            posts={postsOf(asset.id)}
            alsoIn={alsoIn(asset)}
            kept={isKept(asset)}
            onKeep={choose(asset)}
          />
        ))}
      </ul>
      {set.length > shown.length && (
        <Button className="justify-self-center" onClick={() => setLimit(limit + PORTION)}>
          <Trans>Show {Math.min(PORTION, set.length - shown.length)} more of this set</Trans>
        </Button>
      )}
      <Losses kept={kept} gone={gone} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => void settle(async () => callDifferent(shown.map((asset) => asset.id)))}>
          <Trans>They are different</Trans>
        </Button>
        {shown.some(mayRemove) && (
          <Button variant="primary" icon="delete" disabledReason={reasonAgainst(kept, gone)} onClick={() => void settle(keep)}>
            <KeepLabel kept={kept} gone={gone} best={set[0]} />
          </Button>
        )}
      </div>
    </section>
  )
}

interface Outcome {
  kept: readonly Asset[]
  gone: readonly Asset[]
}

/** What would be missing afterwards. */
function Losses({ kept, gone }: Outcome) {
  const withParts = useAtomValue(withPartsAtom)
  const mayRemove = useAtomValue(mayRemoveAtom)
  const missing = missingIn(kept, gone)
  const groups = gone.filter(({ group }) => group)
  const names = listText(groups.map(({ name }) => name))
  return (
    <div role="status" className="grid gap-1 text-sm text-pretty wrap-anywhere empty:-mt-3">
      {missing && (
        <p>
          <Trans>What you move to the trash has {missing}, which the kept photos lack. It is not copied.</Trans>
        </p>
      )}
      {names && (
        <p>
          {withParts(groups).every(mayRemove)
            ? t`All parts of ${names} go to the trash.`
            : t`All parts of ${names} go to the trash, except those that others have added.`}
        </p>
      )}
    </div>
  )
}

/** Counts what goes to the trash as the toast does: with the parts of each. */
function KeepLabel({ kept, gone, best }: Outcome & { best: Asset | undefined }) {
  const withParts = useAtomValue(withPartsAtom)
  const mayRemove = useAtomValue(mayRemoveAtom)
  const count = withParts(gone).filter(mayRemove).length
  const all = kept.length + gone.length
  if (kept.length === 1 && kept[0] === best) return count === 0 ? t`Keep the best` : t`Keep the best, move ${count} to the trash`
  return count === 0 ? t`Keep ${kept.length} of ${all}` : t`Keep ${kept.length} of ${all}, move ${count} to the trash`
}

function reasonAgainst(kept: readonly Asset[], gone: readonly Asset[]): string | undefined {
  if (kept.length === 0) return t`Keep at least one`
  return gone.length === 0 ? t`All of them are kept` : undefined
}
