import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { plural, t } from '#say'
import type { Asset } from '../../../contract/assets.ts'
import type { Collection } from '../../../contract/collections.ts'
import { personName } from '../../../contract/person-name.ts'
import { answerContributionsAtom, contributionsAtom, fetchContributionsAtom } from '../../atoms/contributions.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { itemsPhrase, itemsText } from '../../lib/bulk/words.ts'
import { fileUrl, imageSources, kindOf } from '../../lib/media.ts'
import { placeholderOf } from '../../lib/photos/placeholder.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { FadingImg, placeholderStyle } from '../../ui/image.tsx'
import { FailedNotice, Skeleton } from '../../ui/states.tsx'
import { focusBeside } from '../focus-beside.ts'
import { KIND_ICONS } from '../item-icons.ts'
import { useConfirm } from '../overlays/confirm-dialog.tsx'
import { useAct } from '../overlays/use-act.ts'
import { tileLabel } from '../photos/asset-tile.tsx'
import { useChosen } from '../use-chosen.ts'

/** Files that guests have sent to the collection. The buttons accept or decline the chosen ones, or all. */
export function Contributions({ collection }: { collection: Collection }) {
  const { id, contributions } = collection
  const fetchList = useSetAtom(fetchContributionsAtom)
  const { list = null, error = null } = useAtomValue(contributionsAtom)[id] ?? {}
  // The count of the card may be newer than the list.
  useEffect(() => void (contributions && fetchList(id)), [fetchList, id, contributions])
  if (!list) return error === null ? <Skeleton className="h-40" /> : <FailedNotice message={error} onRetry={() => void fetchList(id)} />
  if (list.length === 0) return null
  return <Waiting collection={collection} assets={list.map(({ asset }) => asset)} />
}

function Waiting({ collection, assets }: { collection: Collection; assets: Asset[] }) {
  const { chosen, selected, choose, clear } = useChosen(assets)
  const [busy, setBusy] = useState<'accept' | 'decline' | null>(null)
  const answer = useSetAtom(answerContributionsAtom)
  const addToast = useSetAtom(addToastAtom)
  const confirm = useConfirm()
  const act = useAct()
  const some = selected.length > 0
  const asked = some ? selected : assets
  const what = itemsPhrase(asked)
  const part = useRef<HTMLDivElement>(null)
  const run = async (kind: 'accept' | 'decline') => {
    const goBeside = focusBeside(part.current)
    setBusy(kind)
    const accept = kind === 'accept'
    await act(async () => {
      const done = new Set(await answer(collection.id, { ids: asked.map(({ id }) => id), accept }))
      const answered = asked.filter(({ id }) => done.has(id))
      const items = itemsText(answered)
      if (answered.length === 0) addToast({ title: t`Nothing was left to answer`, icon: 'check' })
      else addToast({ title: accept ? t`${items} added to “${collection.name}”` : t`${items} declined`, icon: 'check' })
      clear()
      // The part goes with the last file.
      if (asked.length === assets.length) goBeside()
    })
    setBusy(null)
  }
  const decline = async () => {
    const sure = await confirm({
      title: t`Decline ${what}?`,
      description: t`${plural(asked.length, { one: 'Nobody else will see it.', other: 'Nobody else will see them.' })}`,
      confirm: t`Decline`,
      danger: true,
    })
    if (sure) await run('decline')
  }
  return (
    <div ref={part} className="grid gap-4">
      <ul
        className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-x-2 gap-y-4"
        aria-label={t`Sent by guests to ${collection.name}`}
      >
        {assets.map((asset) => (
          <Tile key={asset.id} asset={asset} chosen={chosen.has(asset.id)} onChoose={(on) => choose([asset], on)} />
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" loading={busy === 'accept'} onClick={() => void run('accept')}>
          {some ? t`Accept ${what}` : t`Accept all`}
        </Button>
        <Button loading={busy === 'decline'} onClick={() => void decline()}>
          {some ? t`Decline ${what}` : t`Decline all`}
        </Button>
      </div>
    </div>
  )
}

function Tile({ asset, chosen, onChoose }: { asset: Asset; chosen: boolean; onChoose: (on: boolean) => void }) {
  const sources = imageSources(asset, 'thumb')
  return (
    <li className="grid content-start gap-2">
      <a
        href={imageSources(asset, 'preview')[0] ?? fileUrl(asset)}
        target="_blank"
        rel="noreferrer"
        aria-label={t`Open ${tileLabel(asset)}`}
        style={placeholderStyle(placeholderOf(asset.thumbhash))}
        className={cx(
          'relative grid aspect-square place-items-center overflow-hidden rounded-md border bg-muted',
          chosen && 'border-accent',
        )}
      >
        {sources.length > 0 ? (
          <FadingImg sources={sources} alt="" className="size-full object-cover" />
        ) : (
          <Icon name={KIND_ICONS[kindOf(asset.type)]} size={28} />
        )}
      </a>
      <Checkbox
        checked={chosen}
        onCheckedChange={onChoose}
        label={<span className="font-normal wrap-anywhere">{asset.alt || asset.name}</span>}
        hint={personName(asset.user_name)}
      />
    </li>
  )
}
