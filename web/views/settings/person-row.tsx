import { useSetAtom } from 'jotai'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import type { Person } from '../../../contract/people.ts'
import { renamePersonAtom } from '../../atoms/members.ts'
import { FormFailure } from '../../components/overlays/form-failure.tsx'
import { useSubmit } from '../../components/overlays/use-submit.ts'
import { ROW } from '../../components/settings-section.tsx'
import { UserAvatar } from '../../components/user-avatar.tsx'
import { itemCount } from '../../lib/bulk/words.ts'
import { collectionLink } from '../../lib/links.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { PersonActions, type PersonRowProps } from './person-actions.tsx'

export function PersonRow(props: PersonRowProps) {
  const { collection, person, members, count, invited } = props
  const [renaming, setRenaming] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  // The field is removed; the focus returns to where it was before.
  const renamed = () => {
    flushSync(() => setRenaming(false))
    row.current?.querySelector<HTMLElement>('[aria-haspopup=menu]')?.focus()
  }
  const member = members.find(({ user_id }) => user_id === person.user_id)
  const state = member
    ? t`Linked to ${{ name: member.name }}`
    : person.user_id
      ? t`Linked to an account`
      : invited
        ? t`Invited`
        : t`No account`
  return (
    <li ref={row} className={ROW}>
      <UserAvatar userId={person.user_id} name={person.name} size="lg" />
      {renaming ? (
        <Rename collection={collection} person={person} onDone={renamed} />
      ) : (
        <>
          <div className="min-w-0 flex-1 basis-40">
            <p className="truncate font-medium" dir="auto">
              {person.name}
            </p>
            <p className="text-sm text-muted tabular-nums">
              {state}
              {count !== null && ' · '}
              {count === 0 && t`Not tagged in any items`}
              {count !== null && count > 0 && (
                <Link
                  to={collectionLink('timeline', collection.id, `&people=${person.id}`)}
                  aria-label={t`${{ items: itemCount(count) }} with ${{ name: person.name }}`}
                  className="rounded-sm underline decoration-(--border-strong) underline-offset-2 hover:text-default"
                >
                  {itemCount(count)}
                </Link>
              )}
            </p>
          </div>
          <PersonActions {...props} row={row} onRename={() => setRenaming(true)} />
        </>
      )}
    </li>
  )
}

function Rename({ collection, person, onDone }: { collection: Collection; person: Person; onDone: () => void }) {
  const [name, setName] = useState(person.name)
  const rename = useSetAtom(renamePersonAtom)
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => {
    if (name !== person.name) await rename(collection.id, person.id, name)
    onDone()
  })
  return (
    <form ref={formRef} onSubmit={submit} noValidate className="flex flex-1 flex-wrap items-start gap-2">
      {failure?.message && (
        <div className="w-full">
          <FormFailure failure={failure} busy={busy} onRetry={submit} />
        </div>
      )}
      <Field label={t`New name of ${person.name}`} hideLabel error={fields.name} className="w-full sm:w-auto sm:flex-1">
        {(control) => (
          <Input
            {...control}
            value={name}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && onDone()}
            autoFocus
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="field" loading={busy}>
        <Trans>Save</Trans>
      </Button>
      <Button variant="ghost" size="field" onClick={onDone}>
        <Trans>Cancel</Trans>
      </Button>
    </form>
  )
}
