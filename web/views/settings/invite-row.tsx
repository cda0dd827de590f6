import { t } from '#say'
import { Trans } from '#say/react'
import type { Person } from '../../../contract/people.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Input } from '../../ui/input.tsx'

/** What the user has entered for a person, and what became of it. */
export interface InviteEntry {
  selected: boolean
  email: string
  outcome: 'invited' | 'refused' | null
  /** Why the person was not invited. */
  reason: string | undefined
}

interface InviteRowProps {
  person: Person
  entry: InviteEntry
  onChange: (entry: Partial<InviteEntry>) => void
}

/** A person with an address. Typing an address selects the person. */
export function InviteRow({ person, entry, onChange }: InviteRowProps) {
  const { selected, email, outcome, reason } = entry
  return (
    <li className="grid items-start gap-x-4 gap-y-2 px-3.5 py-2.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,18rem)]">
      {outcome === 'invited' ? (
        <>
          <p className="truncate text-sm leading-6 font-medium sm:py-2" dir="auto">
            {person.name}
          </p>
          <p className="flex min-h-10 items-center gap-2 text-sm">
            <Icon name="check-circle" size={18} className="shrink-0 text-success" />
            <span className="min-w-0 truncate">
              <Trans>Invited: {email.trim()}</Trans>
            </span>
          </p>
        </>
      ) : (
        <>
          <Checkbox
            checked={selected}
            onCheckedChange={(next) => onChange({ selected: next })}
            label={person.name}
            className="min-w-0 sm:py-2"
          />
          <Field label={t`E-mail of ${person.name}`} hideLabel error={reason}>
            {(control) => (
              <Input
                {...control}
                type="email"
                autoComplete="off"
                placeholder={t`E-mail`}
                value={email}
                onChange={(event) => onChange({ email: event.target.value, selected: event.target.value !== '' })}
              />
            )}
          </Field>
        </>
      )}
    </li>
  )
}
