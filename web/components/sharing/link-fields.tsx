import { type Said, say } from '#language'
import { msg, t } from '#say'
import type { Collection } from '../../../contract/collections.ts'
import type { LinkAllows } from '../../../contract/guest.ts'
import type { LinkLocation } from '../../../contract/links.ts'
import type { Places } from '../../../contract/places.ts'
import { may } from '../../../contract/policy.ts'
import { today } from '../../lib/dates/moments.ts'
import { Switch } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Select } from '../../ui/select.tsx'
import { RolePicker } from '../fields/role-picker.tsx'
import type { Ends, LinkDraft } from './link-draft.ts'

const endOptions = (): { value: Ends; label: string }[] => [
  { value: 'never', label: t`Never` },
  { value: '1', label: t`In a day` },
  { value: '7', label: t`In a week` },
  { value: '30', label: t`In 30 days` },
  { value: 'day', label: t`On a date I choose` },
]

const allowOptions = (): { value: LinkAllows; label: string }[] => [
  { value: 'look', label: t({ message: 'View', context: 'verb', comment: 'What guests of a link may do' }) },
  { value: 'answer', label: t({ message: 'View and comment', context: 'verb' }) },
  { value: 'add', label: t({ message: 'Also add photos', comment: 'What guests of a link may do' }) },
]

/** From the least to the most. */
const LOCATIONS: readonly LinkLocation[] = ['hidden', 'town', 'exact']

const LOCATION_LABELS: Record<LinkLocation, Said> = {
  hidden: msg`No place`,
  town: msg`Town`,
  exact: msg`Exact place`,
}

const LOCATION_HINTS: Record<LinkLocation, Said> = {
  hidden: msg`Nobody sees where photos and posts are from, not even in downloads.`,
  town: msg`To within about 10 kilometres, and without names of places.`,
  exact: msg`Except in home zones, and where an item’s own setting hides it.`,
}

const ANSWERING = msg`They comment and react under a name that they choose, and see what others said.`
const NOT_HERE = msg`They see what others said. For them to comment, the collection’s settings must let everyone comment.`

const MOST: Record<Places, LinkLocation> = { nothing: 'hidden', town: 'town', exact: 'exact' }

interface LinkFieldsProps {
  draft: LinkDraft
  onChange: (draft: LinkDraft) => void
  /** The link has a password, which stays while the field is empty. */
  hasPassword: boolean
  errors: Record<string, string>
  /** Its settings limit what a link allows. */
  collection: Pick<Collection, 'answers' | 'places' | 'role'>
  /** The link shows all of it, so that it may let people ask to become members. */
  whole: boolean
}

export function LinkFields({ draft, onChange, hasPassword, errors, collection, whole }: LinkFieldsProps) {
  const { answers, places = 'exact' } = collection
  const limited = LOCATIONS.indexOf(draft.location) > LOCATIONS.indexOf(MOST[places])
  const set = (change: Partial<LinkDraft>) => onChange({ ...draft, ...change })
  return (
    <div className="grid gap-5">
      <Field label={t`Name`} hint={t`Shown as the title of the page. Without one, the collection’s name is.`} error={errors.name}>
        {(control) => (
          <Input
            {...control}
            dir="auto"
            autoComplete="off"
            placeholder={t`For grandmother`}
            value={draft.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Field>
      <div className="grid gap-2">
        <Segments
          label={t({ message: 'Guests may', comment: 'Above the choices “View”, “View and comment” and “Also add photos”' })}
          options={allowOptions().filter(({ value }) => whole || value !== 'add')}
          value={draft.allows}
          onChange={(allows) => set({ allows })}
        />
        <p className="text-xs text-muted">
          {draft.allows === 'look' ? t`They see no comments.` : say(answers === 'read' ? ANSWERING : NOT_HERE)}
        </p>
        {draft.allows === 'add' && (
          <Switch
            checked={draft.approve}
            onCheckedChange={(approve) => set({ approve })}
            label={t`Approve what they add`}
            hint={t`Photos and videos wait for an admin before others see them.`}
          />
        )}
      </div>
      <div className="grid gap-2">
        <Segments
          label={t`Places`}
          options={LOCATIONS.map((value) => ({ value, label: say(LOCATION_LABELS[value]) }))}
          value={draft.location}
          onChange={(location) => set({ location })}
        />
        <p className="text-xs text-muted">
          {!limited
            ? say(LOCATION_HINTS[draft.location])
            : places === 'town'
              ? t`The collection’s settings allow less: the town.`
              : t`The collection’s settings allow less: no place.`}
        </p>
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label={t({ message: 'Ends', context: 'verb', comment: 'When a link ends' })}
          error={draft.ends === 'day' ? undefined : errors.endsAt}
        >
          {(control) => <Select {...control} value={draft.ends} onValueChange={(ends) => set({ ends })} options={endOptions()} />}
        </Field>
        {draft.ends === 'day' && (
          <Field label={t`Last day`} error={errors.endsAt}>
            {(control) => (
              <Input {...control} type="date" min={today()} value={draft.day} onChange={(event) => set({ day: event.target.value })} />
            )}
          </Field>
        )}
      </div>
      <Switch
        checked={draft.download}
        onCheckedChange={(download) => set({ download })}
        label={t`Downloads`}
        hint={t`Originals can be saved. Otherwise photos are shown at the size of a screen.`}
      />
      <Switch
        checked={draft.askName}
        onCheckedChange={(askName) => set({ askName })}
        label={t`Ask for a name`}
        hint={t`Guests say who they are before they see anything.`}
      />
      {!draft.askName && !draft.protect && (
        <Switch
          checked={draft.preview}
          onCheckedChange={(preview) => set({ preview })}
          label={t({ message: 'Preview', context: 'noun' })}
          hint={t`Apps in which you send the link show its title and newest picture.`}
        />
      )}
      {whole && may(collection.role, 'members.manage') && (
        <div className="grid gap-3">
          <Switch
            checked={draft.join}
            onCheckedChange={(join) => set({ join })}
            label={t`People may ask to join`}
            hint={t`Whoever signs in can ask to become a member. An admin accepts or declines.`}
          />
          {draft.join && <RolePicker value={draft.role} onChange={(role) => set({ role })} actor={collection.role} />}
        </div>
      )}
      <div className="grid gap-3">
        <Switch
          checked={draft.protect}
          onCheckedChange={(protect) => set({ protect })}
          label={t`Password`}
          hint={t`Send it separately from the link.`}
        />
        {draft.protect && (
          <Field
            label={t`Password`}
            hideLabel
            error={errors.password}
            {...(hasPassword ? { hint: t`Leave it empty to keep the current one.` } : {})}
          >
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                spellCheck={false}
                autoCapitalize="none"
                value={draft.password}
                onChange={(event) => set({ password: event.target.value })}
              />
            )}
          </Field>
        )}
      </div>
    </div>
  )
}
