import { useAtomValue } from 'jotai'
import { type KeyboardEvent, type SyntheticEvent, useMemo } from 'react'
import { t } from '#say'
import type { Asset } from '../../../contract/assets.ts'
import { selectedCollectionIdAtom } from '../../atoms/selected-collection.ts'
import type { Subject } from '../../lib/answers/pending.ts'
import { ReactionList } from '../answers/reaction-list.tsx'
import { Thread } from '../answers/thread.tsx'
import { useAnswers } from '../answers/use-answers.ts'
import { LightboxPanel } from './lightbox-panel.tsx'

/** What people say about an asset, beside it. */
export function LightboxComments({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const collectionId = useAtomValue(selectedCollectionIdAtom) ?? ''
  const { id } = asset
  const subject = useMemo((): Subject => ({ collectionId, item: { kind: 'asset', id } }), [collectionId, id])
  const title = asset.alt || asset.name
  const { reactions, whyNot, react } = useAnswers(subject, asset.answers, title)
  return (
    <LightboxPanel name={t`Comments`} title={t`Comments`} onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps keys and gestures from the lightbox */}
      <div onKeyDown={withoutEscape} onKeyUp={stop} onPointerDown={stop} onWheel={stop} className="flex grow flex-col px-5 pt-1">
        <div className="mb-4 flex min-h-8 flex-wrap items-center gap-1.5">
          <ReactionList reactions={reactions} whyNot={whyNot} onToggle={react} />
        </div>
        <Thread key={id} subject={subject} title={title} formClass="sticky bottom-0 z-20 -mx-5 bg-raised px-5 pt-2 pb-4" />
      </div>
    </LightboxPanel>
  )
}

function stop(event: SyntheticEvent) {
  event.stopPropagation()
}

/** Esc closes the lightbox, unless a field or a list in the panel uses it. */
function withoutEscape(event: KeyboardEvent) {
  const { key, target, defaultPrevented } = event
  if (key !== 'Escape' || defaultPrevented || !(target instanceof Node) || !event.currentTarget.contains(target)) event.stopPropagation()
}
