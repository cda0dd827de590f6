import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { joined } from '#language'
import { plural, t } from '#say'
import { Trans } from '#say/react'
import { LIMITS } from '../../../contract/limits.ts'
import { applyPlanAtom, isOwnAtom, selectedItemsAtom, writableCollectionsAtom } from '../../atoms/bulk.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { planLink, shareOf } from '../../lib/bulk/plan.ts'
import { itemsPhrase, itemsText, previewText } from '../../lib/bulk/words.ts'
import { isIn } from '../../lib/content/is-post.ts'
import { fold } from '../../lib/fold.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { CollectionBadge } from '../collection-icon.tsx'
import { useAsk } from '../overlays/overlay-outlet.tsx'
import { useAct } from '../overlays/use-act.ts'
import { BulkDialog } from './dialog.tsx'
import { MixedCheckList } from './mixed-check-list.tsx'

/** Adds the selected items to other collections. */
export function BulkCollectionsDialog({ open, close, onClosed }: OverlayProps<void>) {
  const [items] = useState(useAtomValue(selectedItemsAtom))
  const isOwn = useAtomValue(isOwnAtom)
  const collections = useAtomValue(writableCollectionsAtom)
  const apply = useSetAtom(applyPlanAtom)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [search, setSearch] = useState('')
  const ask = useAsk()
  const act = useAct()
  const own = items.filter(isOwn)
  const plan = planLink(items, isOwn, chosen)
  const names = joined(collections.filter(({ id }) => chosen.includes(id)).map(({ name }) => name))
  const found = collections.filter(({ name }) => fold(name).includes(fold(search.trim())))
  const make = () =>
    void act(async () => {
      const made = await ask((await import('../collections/new-collection-dialog.tsx')).NewCollectionDialog, {})
      if (made) setChosen((ids) => [...ids, made.id])
    })
  const toggle = (id: string) => setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  return (
    <BulkDialog
      {...{ open, close, onClosed }}
      title={t`Add to collections`}
      description={t`${itemsText(items)}. They also stay in this collection.`}
      preview={chosen.length > 0 ? previewText(plan, t`into ${names}`) : t`Choose collections to see what changes.`}
      reason={
        chosen.length === 0
          ? t`Choose a collection first`
          : chosen.length > LIMITS.collectionsPerCall
            ? t`${plural({ count: LIMITS.collectionsPerCall }, { one: 'Choose at most # collection', other: 'Choose at most # collections' })}`
            : plan.change.length === 0
              ? t`Nothing changes`
              : undefined
      }
      onApply={() =>
        apply({
          plan,
          change: { kind: 'link', collectionIds: [...chosen] },
          title: t`${itemsPhrase(plan.change)} added to ${names}`,
          icon: 'collections-bookmark',
        })
      }
    >
      <div className="flex flex-wrap items-end gap-2">
        <Field label={t`Find a collection`} className="min-w-0 grow basis-48">
          {(control) => (
            <Input
              {...control}
              icon="search"
              autoComplete="off"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
              onKeyDown={(event) => {
                const [first] = found
                if (event.key !== 'Enter' || search.trim() === '') return
                event.preventDefault()
                if (first) toggle(first.id)
              }}
            />
          )}
        </Field>
        <Button icon="add" size="field" onClick={make}>
          <Trans>New collection…</Trans>
        </Button>
      </div>
      {found.length === 0 && (
        <p className="text-sm text-muted">
          {collections.length === 0 ? t`You cannot add to any other collection.` : t`No collections match “${search.trim()}”.`}
        </p>
      )}
      <MixedCheckList
        label={t`Collections`}
        options={found.map(({ id, name, icon, theme }) => {
          const count = own.filter((item) => isIn(item, id)).length
          const want = chosen.includes(id) ? true : undefined
          return {
            ...{ id, label: name, share: shareOf(count, own.length), wanted: want },
            face: <CollectionBadge icon={icon} theme={theme} size={28} />,
            detail: want
              ? t`add all`
              : count > 0
                ? t({ message: `${count} in it`, comment: 'So many of the selected items are in this collection' })
                : '',
          }
        })}
        onToggle={toggle}
      />
    </BulkDialog>
  )
}
