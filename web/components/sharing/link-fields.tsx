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

const ENDS: { value: Ends; label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: '1', label: 'In a day' },
  { value: '7', label: 'In a week' },
  { value: '30', label: 'In 30 days' },
  { value: 'day', label: 'On a date I choose' },
]

const ALLOWS: { value: LinkAllows; label: string }[] = [
  { value: 'look', label: 'Look' },
  { value: 'answer', label: 'Look and answer' },
  { value: 'add', label: 'Also add photos' },
]

const LOCATIONS: { value: LinkLocation; label: string }[] = [
  { value: 'hidden', label: 'No place' },
  { value: 'town', label: 'Town' },
  { value: 'exact', label: 'Exact place' },
]

const LOCATION_HINTS: Record<LinkLocation, string> = {
  hidden: 'Nobody sees where photos and posts are from, not even in downloads.',
  town: 'To within about 10 kilometres, and without names of places.',
  exact: 'Except in home zones, and where an item’s own setting hides it.',
}

const ANSWERING = 'They comment and react under a name that they choose, and see what others said.'
const NOT_HERE = 'They see what others said. For them to comment, the collection’s settings must let everyone comment.'

const MOST: Record<Places, LinkLocation> = { nothing: 'hidden', town: 'town', exact: 'exact' }
const rankOf = (location: LinkLocation) => LOCATIONS.findIndex(({ value }) => value === location)

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
  const limited = rankOf(draft.location) > rankOf(MOST[places])
  const set = (change: Partial<LinkDraft>) => onChange({ ...draft, ...change })
  return (
    <div className="grid gap-5">
      <Field label="Name" hint="Shown as the title of the page. Without one, the collection’s name is." error={errors.name}>
        {(control) => (
          <Input
            {...control}
            dir="auto"
            autoComplete="off"
            placeholder="For grandmother"
            value={draft.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Field>
      <div className="grid gap-2">
        <Segments
          label="Guests may"
          options={whole ? ALLOWS : ALLOWS.filter(({ value }) => value !== 'add')}
          value={draft.allows}
          onChange={(allows) => set({ allows })}
        />
        <p className="text-xs text-muted">
          {draft.allows === 'look' ? 'They see no comments.' : answers === 'read' ? ANSWERING : NOT_HERE}
        </p>
        {draft.allows === 'add' && (
          <Switch
            checked={draft.approve}
            onCheckedChange={(approve) => set({ approve })}
            label="Approve what they add"
            hint="Photos and videos wait for an admin before others see them."
          />
        )}
      </div>
      <div className="grid gap-2">
        <Segments label="Places" options={LOCATIONS} value={draft.location} onChange={(location) => set({ location })} />
        <p className="text-xs text-muted">
          {limited
            ? `The collection’s settings allow less: ${places === 'town' ? 'the town' : 'no place'}.`
            : LOCATION_HINTS[draft.location]}
        </p>
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Ends" error={draft.ends === 'day' ? undefined : errors.endsAt}>
          {(control) => <Select {...control} value={draft.ends} onValueChange={(ends) => set({ ends })} options={ENDS} />}
        </Field>
        {draft.ends === 'day' && (
          <Field label="Last day" error={errors.endsAt}>
            {(control) => (
              <Input {...control} type="date" min={today()} value={draft.day} onChange={(event) => set({ day: event.target.value })} />
            )}
          </Field>
        )}
      </div>
      <Switch
        checked={draft.download}
        onCheckedChange={(download) => set({ download })}
        label="Downloads"
        hint="Originals can be saved. Otherwise photos are shown at the size of a screen."
      />
      <Switch
        checked={draft.askName}
        onCheckedChange={(askName) => set({ askName })}
        label="Ask for a name"
        hint="Guests say who they are before they see anything."
      />
      {!draft.askName && !draft.protect && (
        <Switch
          checked={draft.preview}
          onCheckedChange={(preview) => set({ preview })}
          label="Preview"
          hint="Apps in which you send the link show its title and newest picture."
        />
      )}
      {whole && may(collection.role, 'members.manage') && (
        <div className="grid gap-3">
          <Switch
            checked={draft.join}
            onCheckedChange={(join) => set({ join })}
            label="People may ask to join"
            hint="Whoever signs in can ask to become a member. An admin accepts or declines."
          />
          {draft.join && <RolePicker value={draft.role} onChange={(role) => set({ role })} actor={collection.role} />}
        </div>
      )}
      <div className="grid gap-3">
        <Switch
          checked={draft.protect}
          onCheckedChange={(protect) => set({ protect })}
          label="Password"
          hint="Send it separately from the link."
        />
        {draft.protect && (
          <Field
            label="Password"
            hideLabel
            error={errors.password}
            {...(hasPassword ? { hint: 'Leave it empty to keep the current one.' } : {})}
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
