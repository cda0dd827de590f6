import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { joined } from '#language'
import { t } from '#say'
import { LIMITS } from '../../../contract/limits.ts'
import { applyPlanAtom, selectedItemsAtom } from '../../atoms/bulk.ts'
import { selectedCollectionAtom } from '../../atoms/collections.ts'
import { addPersonAtom } from '../../atoms/members.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { mayEditAtom } from '../../atoms/rights.ts'
import { type Item, planPeople, shareOf } from '../../lib/bulk/plan.ts'
import { itemsPhrase, itemsText, previewText } from '../../lib/bulk/words.ts'
import { fold } from '../../lib/fold.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { useAct } from '../overlays/use-act.ts'
import { usePeople } from '../use-people.ts'
import { UserAvatar } from '../user-avatar.tsx'
import { BulkDialog } from './dialog.tsx'
import { MixedCheckList } from './mixed-check-list.tsx'

/** Tags people in all selected items, or removes their tags. */
export function BulkPeopleDialog({ open, close, onClosed }: OverlayProps<void>) {
  const [items] = useState(useAtomValue(selectedItemsAtom))
  const mayEdit = useAtomValue(mayEditAtom)
  const people = usePeople()
  const apply = useSetAtom(applyPlanAtom)
  const [wanted, setWanted] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [text, setText] = useState('')
  const allowed = items.filter(mayEdit)
  const [add, remove] = [true, false].map((on) => [...wanted].flatMap(([id, want]) => (want === on ? [id] : []))) as [string[], string[]]
  const plan = planPeople(items, mayEdit, add, remove)
  const names = (ids: readonly string[]) => joined(ids.flatMap((id) => people.find((person) => person.id === id)?.name ?? []))
  const what = joined([add.length > 0 && `+ ${names(add)}`, remove.length > 0 && `− ${names(remove)}`])
  const create = useCreate((id) => {
    setWanted(new Map(wanted).set(id, true))
    setText('')
  })
  const isKnown = people.some(({ name }) => fold(name) === fold(text.trim()))
  const found = people.filter(({ name }) => fold(name).includes(fold(text.trim())))
  return (
    <BulkDialog
      {...{ open, close, onClosed }}
      title={t`People`}
      description={itemsText(items)}
      preview={wanted.size > 0 ? previewText(plan, what) : t`Choose people to see what changes.`}
      reason={wanted.size === 0 ? t`Choose people first` : plan.change.length === 0 ? t`Nothing changes` : undefined}
      onApply={() =>
        apply({ plan, change: { kind: 'people', add, remove }, title: `${itemsPhrase(plan.change)}: ${what}`, icon: 'person' })
      }
    >
      <div className="flex items-end gap-2">
        <Field label={t`Find or add a person`} className="min-w-0 grow">
          {(control) => (
            <Input
              {...control}
              icon="search"
              autoComplete="off"
              placeholder={t`Type a name`}
              maxLength={LIMITS.personName}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                // Enter submits the name, not the whole form.
                if (event.key !== 'Enter' || text.trim() === '') return
                event.preventDefault()
                const [first] = found
                if (!first) return create(text)
                setWanted(toggled(wanted, first.id, allowed))
                setText('')
              }}
            />
          )}
        </Field>
        {text.trim() !== '' && !isKnown && (
          <Button icon="person-add" size="field" onClick={() => create(text)}>
            {t`Add “${{ fresh: text.trim() }}”`}
          </Button>
        )}
      </div>
      <MixedCheckList
        label={t`People in this collection`}
        options={found.map(({ id, name, user_id }) => {
          const count = allowed.filter((item) => item.people.includes(id)).length
          const want = wanted.get(id)
          return {
            ...{ id, label: name, share: shareOf(count, allowed.length), wanted: want },
            face: <UserAvatar userId={user_id} name={name} size="sm" />,
            detail: detailOf(want, count),
          }
        })}
        onToggle={(id) => setWanted(toggled(wanted, id, allowed))}
      />
    </BulkDialog>
  )
}

function detailOf(want: boolean | undefined, count: number): string {
  if (want !== undefined) return want ? t`add to all` : t`remove from all`
  return count > 0 ? t({ message: `in ${count}`, comment: 'A person is in so many of the selected items' }) : ''
}

/** Inverts the current state. A mixed state cycles: all, none, unchanged. */
function toggled(wanted: ReadonlyMap<string, boolean>, id: string, items: readonly Item[]): Map<string, boolean> {
  const next = new Map(wanted)
  const share = shareOf(items.filter(({ people }) => people.includes(id)).length, items.length)
  const now = wanted.get(id)
  if (now === undefined) next.set(id, share !== 'all')
  else if (now && share === 'some') next.set(id, false)
  else next.delete(id)
  return next
}

function useCreate(onMade: (id: string) => void) {
  const collection = useAtomValue(selectedCollectionAtom)
  const addPerson = useSetAtom(addPersonAtom)
  const act = useAct()
  return (name: string) =>
    void act(async () => {
      if (collection) onMade((await addPerson(collection.id, name.trim())).id)
    })
}
