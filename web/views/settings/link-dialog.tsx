import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import type { Member } from '../../../contract/members.ts'
import type { Person } from '../../../contract/people.ts'
import { linkPersonAtom } from '../../atoms/members.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { FormDialog } from '../../components/overlays/form-dialog.tsx'
import { useSubmit } from '../../components/overlays/use-submit.ts'
import { ChoosePerson } from './choose-person.tsx'

interface LinkDialogProps extends OverlayProps<boolean> {
  collection: Collection
  person: Person
  members: Member[]
  people: Person[]
}

/** Links a tagged person to a member. */
export function LinkDialog({ collection, person, members, people, open, close, onClosed }: LinkDialogProps) {
  const [userId, setUserId] = useState<string | null>(null)
  const link = useSetAtom(linkPersonAtom)
  const form = useSubmit(async () => {
    if (!userId) return
    await link(collection.id, person.id, userId)
    close(true)
  })
  const linkedTo = (id: string) => people.find(({ user_id }) => user_id === id)
  return (
    <FormDialog
      form={form}
      open={open}
      onCancel={() => close(false)}
      onClosed={onClosed}
      size="sm"
      title={t`Who is ${person.name}?`}
      description={t`The items they are tagged in will be linked to their account.`}
      action={<Trans context="to a person">Link</Trans>}
      reason={userId ? undefined : t`Choose a member`}
    >
      <ChoosePerson
        label={t`Member`}
        people={members.map((member) => ({ id: member.user_id, name: member.name, user_id: member.user_id }))}
        value={userId}
        onChange={({ id }) => setUserId(id)}
        reasonAgainst={({ id }) => {
          const other = linkedTo(id)
          return other && t`Linked to ${{ name: other.name }}`
        }}
      />
    </FormDialog>
  )
}
