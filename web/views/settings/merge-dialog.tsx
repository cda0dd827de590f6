import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import type { Person } from '../../../contract/people.ts'
import { mergePersonAtom } from '../../atoms/members.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { countTaggedAtom } from '../../atoms/tagged.ts'
import { FormDialog } from '../../components/overlays/form-dialog.tsx'
import { useSubmit } from '../../components/overlays/use-submit.ts'
import { itemCount } from '../../lib/bulk/words.ts'
import { ChoosePerson } from './choose-person.tsx'

interface MergeDialogProps extends OverlayProps<{ changeId: string; into: Person }> {
  collection: Collection
  person: Person
  others: Person[]
}

/** Merges two people, after showing the result. */
export function MergeDialog({ collection, person, others, open, close, onClosed }: MergeDialogProps) {
  const [into, setInto] = useState<Person | null>(null)
  const merge = useSetAtom(mergePersonAtom)
  const form = useSubmit(async () => {
    if (into) close({ changeId: await merge(collection.id, person.id, into.id), into })
  })
  return (
    <FormDialog
      form={form}
      open={open}
      onCancel={close}
      onClosed={onClosed}
      size="sm"
      title={t`Merge ${person.name} into…`}
      description={t`For a person who is listed twice.`}
      action={<Trans>Merge</Trans>}
      reason={into ? undefined : t`Choose a person to keep`}
    >
      <ChoosePerson
        label={t`Person to keep`}
        people={others}
        value={into?.id ?? null}
        onChange={setInto}
        reasonAgainst={(other) => (person.user_id && other.user_id ? t`Linked to another account` : undefined)}
      />
      <p aria-live="polite" className="min-h-10 text-sm text-pretty text-muted">
        {into && <Preview person={person} into={into} />}
      </p>
    </FormDialog>
  )
}

function Preview({ person, into }: { person: Person; into: Person }) {
  const count = useAtomValue(countTaggedAtom)
  const [kept, other] = [into.name, person.name]
  if (!count) return t`Everything that ${other} is tagged in becomes ${kept}’s.`
  const [keptItems, otherItems, together] = [itemCount(count(into.id)), itemCount(count(person.id)), count(into.id, person.id)]
  return t`${kept} (${keptItems}) and ${other} (${otherItems}) become ${kept} with ${together}.`
}
