import { useAtomValue } from 'jotai'
import { listText } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { fitLine } from '../../../contract/photos/fit.ts'
import { may } from '../../../contract/policy.ts'
import { collectionsAtom } from '../../atoms/collections.ts'
import { personNameAtom } from '../../atoms/profile.ts'
import type { ImportPlan } from '../../lib/import/types.ts'
import { cx } from '../../ui/cx.ts'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { ImportLeftOut, ImportReasons } from './reasons.tsx'
import { audienceWords, formatName, foundLines } from './words.ts'

/** An existing collection, or a new one with a name. */
export interface Destination {
  id: string | null
  /** Id of the collection to create; the same on a retry. */
  newId: string
  name: string
}

/** From this many items on, an import from another service goes into a new collection by default. */
const MANY = 200

/**
 * The open collection. A new one for an export of another collection, and for a whole life in another service, which others should not see by
 * mistake.
 */
export function destinationFor(plan: ImportPlan, open: readonly Collection[], selectedId: string | null): Omit<Destination, 'newId'> {
  const own = open.find(({ id }) => id === selectedId)
  const foreign = plan.collection !== null && plan.collection.sourceId !== own?.id
  const isService = plan.format !== 'folder' && plan.format !== 'cairn'
  const much = plan.format === 'takeout' || (isService && plan.assets.length + plan.posts.length >= MANY)
  const name =
    fitLine(plan.collection?.name ?? plan.title, LIMITS.collectionName) ||
    t({ message: 'Imported', comment: 'Name of a new collection, until somebody changes it' })
  return { id: own && !foreign && !much ? own.id : null, name }
}

const NEW = 'new'

interface FoundProps {
  plan: ImportPlan
  destination: Destination
  onDestination: (next: Destination) => void
}

/** Shows the findings before anything is imported. */
export function ImportFound({ plan, destination, onDestination }: FoundProps) {
  const collections = (useAtomValue(collectionsAtom) ?? []).filter(({ role }) => may(role, 'item.add'))
  const me = useAtomValue(personNameAtom)
  const others = plan.authors.filter((author) => author !== me)
  const lines = foundLines(plan)
  const target = collections.find(({ id }) => id === destination.id)
  const shared = target !== undefined && target.member_count > 1
  return (
    <div className="grid gap-5">
      <div className="flex gap-4 rounded-xl bg-muted p-4">
        <span className="grid size-10 shrink-0 place-items-center rounded-lg bg-accent-soft text-accent">
          <Icon name="archive" size={22} />
        </span>
        <div className="min-w-0">
          <p className="font-semibold break-words">{plan.title || formatName(plan.format)}</p>
          <p className="text-sm text-muted">{formatName(plan.format)}</p>
          <ul
            aria-label={t({ message: 'Found', comment: 'Above a list of what was found in an archive' })}
            className="mt-2 grid gap-0.5 text-sm"
          >
            {lines.length > 0 ? (
              lines.map(({ id, text }) => <li key={id}>{text}</li>)
            ) : (
              <li>
                <Trans>Nothing that can be imported</Trans>
              </li>
            )}
          </ul>
        </div>
      </div>
      {plan.note && <p className="text-sm text-pretty">{plan.note}</p>}
      <Field label={t`Import into`}>
        {(control) => (
          <Select
            {...control}
            value={destination.id ?? NEW}
            onValueChange={(id) => onDestination({ ...destination, id: id === NEW ? null : id })}
            options={[{ value: NEW, label: t`New collection` }, ...collections.map(({ id, name }) => ({ value: id, label: name }))]}
          />
        )}
      </Field>
      {destination.id === null && (
        <Field label={t`Collection name`}>
          {(control) => (
            <Input
              {...control}
              value={destination.name}
              maxLength={LIMITS.collectionName * 4}
              autoComplete="off"
              onChange={(event) => onDestination({ ...destination, name: event.target.value })}
            />
          )}
        </Field>
      )}
      <p role="status" className={cx('flex gap-3 rounded-lg p-3 text-sm', shared ? 'bg-accent-soft' : 'bg-muted')}>
        <Icon name={shared ? 'group' : 'lock'} />
        {audienceWords(target?.name ?? null, target?.member_count ?? 1)}
      </p>
      <ImportLeftOut leftOut={plan.leftOut} />
      <ImportReasons refused={plan.refused} />
      <p className="text-sm text-pretty text-muted">
        <Trans>
          Items that already exist are not added again. Photos that nobody has edited gain the details that they lack, unless other people
          see them in another collection.
        </Trans>{' '}
        {others.length > 0 && <Trans>Items by {listed(others)} are added under your name.</Trans>}
      </p>
    </div>
  )
}

function listed(names: readonly string[]): string {
  const [first = '', second = ''] = names
  return names.length > 3 ? t`${first}, ${second} and others` : listText(names)
}
