import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { compareNames } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import type { Invite } from '../../../contract/invites.ts'
import type { Member } from '../../../contract/members.ts'
import type { Person } from '../../../contract/people.ts'
import { may } from '../../../contract/policy.ts'
import { addPersonAtom } from '../../atoms/members.ts'
import { taggedCountsAtom } from '../../atoms/tagged.ts'
import { FormFailure } from '../../components/overlays/form-failure.tsx'
import { useOpen } from '../../components/overlays/use-open.ts'
import { useSubmit } from '../../components/overlays/use-submit.ts'
import { ROWS, SettingsSection } from '../../components/settings-section.tsx'
import { fold } from '../../lib/fold.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyNotice } from '../../ui/empty-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { PersonRow } from './person-row.tsx'
import { SearchInput } from './search-input.tsx'

interface PeopleSectionProps {
  collection: Collection
  people: Person[]
  members: Member[]
  invites: Invite[]
}

const loadInvitePeople = async () => (await import('./invite-people-dialog.tsx')).InvitePeopleDialog

/** With more people than these the list has a search. */
const MANY = 6

/** People who can be tagged, with or without an account. */
export function PeopleSection({ collection, people, members, invites }: PeopleSectionProps) {
  const mayEdit = may(collection.role, 'people.edit')
  const [search, setSearch] = useState('')
  const counts = useAtomValue(taggedCountsAtom)
  const sorted = people.toSorted((a, b) => compareNames(a.name, b.name))
  const isInvited = ({ id }: Person) => invites.some(({ person_id }) => person_id === id)
  const uninvited = may(collection.role, 'members.manage') ? sorted.filter((person) => !person.user_id && !isInvited(person)) : []
  const openDialog = useOpen()
  const searchable = sorted.length > MANY
  const shown = searchable ? sorted.filter(({ name }) => fold(name).includes(fold(search.trim()))) : sorted
  return (
    <SettingsSection
      title={t`People`}
      action={
        uninvited.length > 1 && (
          <Button icon="person-add" onClick={() => void openDialog(loadInvitePeople, { collection, people: uninvited })}>
            <Trans>Invite people…</Trans>
          </Button>
        )
      }
      description={
        mayEdit
          ? t`People who can be tagged in photos and posts, with or without an account.`
          : t`People who can be tagged in photos and posts, with or without an account. Writers and above can change the list.`
      }
    >
      <div className="grid gap-4">
        {mayEdit && <AddPerson collectionId={collection.id} onAdded={() => setSearch('')} />}
        {searchable && <SearchInput label={t`Search people`} value={search} onChange={setSearch} />}
        {sorted.length === 0 ? (
          <EmptyNotice>
            <Trans>No people yet.</Trans>
          </EmptyNotice>
        ) : shown.length === 0 ? (
          <EmptyNotice role="status">
            <Trans>No people match “{search.trim()}”.</Trans>
          </EmptyNotice>
        ) : (
          <ul className={ROWS} aria-label={t`People`}>
            {shown.map((person) => (
              <PersonRow
                key={person.id}
                collection={collection}
                person={person}
                people={sorted}
                members={members}
                count={counts ? (counts.get(person.id) ?? 0) : null}
                invited={isInvited(person)}
              />
            ))}
          </ul>
        )}
      </div>
    </SettingsSection>
  )
}

function AddPerson({ collectionId, onAdded }: { collectionId: string; onAdded: () => void }) {
  const [name, setName] = useState('')
  const add = useSetAtom(addPersonAtom)
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => {
    await add(collectionId, name)
    onAdded()
    // A user who types quickly has started the next name.
    setName((now) => (now === name ? '' : now))
  })
  return (
    <form ref={formRef} onSubmit={submit} noValidate className="grid gap-3">
      <FormFailure failure={failure} busy={busy} onRetry={submit} />
      <Field label={t`Name of a person`} hideLabel error={fields.name}>
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              value={name}
              onChange={(event) => setName(event.target.value)}
              placeholder={t`Name of a person`}
              autoComplete="off"
            />
            <Button type="submit" icon="add" loading={busy} size="field">
              <Trans>Add</Trans>
            </Button>
          </div>
        )}
      </Field>
    </form>
  )
}
