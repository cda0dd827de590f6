import { useId, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { UserAvatar } from '../../components/user-avatar.tsx'
import { fold } from '../../lib/fold.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { SearchInput } from './search-input.tsx'

interface ChoosePersonProps<T> {
  label: string
  people: readonly T[]
  value: string | null
  onChange: (person: T) => void
  /** Why a person cannot be chosen. */
  reasonAgainst?: (person: T) => string | undefined
}

/** The number that is visible without a search. */
const MANY = 7

/** Chooses one person: radio buttons, so that arrow keys work, with a search when there are many. */
export function ChoosePerson<T extends { id: string; name: string; user_id: string | null }>({
  label,
  people,
  value,
  onChange,
  reasonAgainst,
}: ChoosePersonProps<T>) {
  const [search, setSearch] = useState('')
  const name = useId()
  const shown = people.filter((person) => fold(person.name).includes(fold(search.trim())))
  return (
    <div className="grid gap-2">
      {people.length > MANY && <SearchInput label={t`Search people`} value={search} onChange={setSearch} />}
      <fieldset className="max-h-64 overflow-y-auto rounded-lg border">
        <legend className="sr-only">{label}</legend>
        {shown.map((person) => {
          const reason = reasonAgainst?.(person)
          return (
            <label
              key={person.id}
              className={cx(
                'flex min-h-11 items-center gap-3 px-3 py-1.5 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-(--ring)',
                reason ? 'text-muted' : 'cursor-pointer hover:bg-muted has-checked:bg-accent-soft',
              )}
            >
              <input
                type="radio"
                name={name}
                className="sr-only"
                checked={value === person.id}
                disabled={reason !== undefined}
                onChange={() => onChange(person)}
              />
              <UserAvatar userId={person.user_id} name={person.name} size="md" />
              <span className="min-w-0 grow truncate" dir="auto">
                {person.name}
              </span>
              {reason && <span className="text-xs">{reason}</span>}
              {value === person.id && <Icon name="check" size={18} className="text-accent" />}
            </label>
          )
        })}
        {shown.length === 0 && (
          <p className="px-3 py-3 text-sm text-muted">
            <Trans>No people match</Trans>
          </p>
        )}
      </fieldset>
    </div>
  )
}
