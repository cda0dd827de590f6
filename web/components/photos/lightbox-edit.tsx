import { useAtomValue, useSetAtom } from 'jotai'
import { type KeyboardEvent, type SyntheticEvent, useEffect, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { type Asset, AssetEdit } from '../../../contract/assets.ts'
import { assetsAtom } from '../../atoms/content.ts'
import { fileTimesAtom } from '../../atoms/file-times.ts'
import { editAssetAtom, withUndoToastAtom } from '../../atoms/outbox.ts'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import { checkInput } from '../../lib/api.ts'
import { dayHere, timeAt } from '../../lib/dates/moments.ts'
import { formatWhen } from '../../lib/dates/text.ts'
import { zoneNear } from '../../lib/dates/zone-near.ts'
import { localZone } from '../../lib/dates/zones.ts'
import { assetDraftOf, assetPatchOf } from '../../lib/photos/asset-draft.ts'
import { type AssetDraft, readAssetEdit, writeAssetEdit } from '../../lib/posts/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Textarea } from '../../ui/input.tsx'
import { Notice } from '../../ui/states.tsx'
import { PeopleField } from '../fields/people-field.tsx'
import { PlaceField } from '../fields/place-field.tsx'
import { WhenFields } from '../fields/when-fields.tsx'
import { useEditing } from '../live/use-editing.ts'
import { FormFailure } from '../overlays/form-failure.tsx'
import { useDiscard } from '../overlays/use-discard.ts'
import { useSubmit } from '../overlays/use-submit.ts'

/** Edits a photo's details beside it. What is not saved survives moving to the next photo, closing the panel and a reload. */
export function LightboxEdit({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const userId = useAtomValue(sessionUserIdAtom) ?? ''
  const [begun] = useState(() => readAssetEdit(userId, asset.id))
  // As it was when the form opened, regardless of later updates.
  const [base] = useState(begun?.base ?? asset)
  const [start] = useState(() => assetDraftOf(base))
  const [draft, setDraft] = useState(begun?.draft ?? start)
  const dirty = Object.keys(assetPatchOf(start, draft)).length > 0
  useEffect(() => writeAssetEdit(userId, base.id, dirty ? { base, draft } : null), [userId, base, draft, dirty])
  const leave = () => {
    writeAssetEdit(userId, base.id, null)
    onClose()
  }
  const others = useAtomValue(assetsAtom)
  const edit = useSetAtom(editAssetAtom)
  const withUndo = useSetAtom(withUndoToastAtom)
  useEditing(base.id)
  const set = (change: Partial<AssetDraft>) => setDraft((current) => ({ ...current, ...change }))
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => {
    const patch = checkInput(AssetEdit, assetPatchOf(start, draft))
    const title = draft.alt.trim() || base.name
    if (Object.keys(patch).length > 0) await withUndo(edit(base.id, patch, base), t`${title} changed`, 'edit')
    leave()
  })
  const discard = useDiscard(!busy && dirty, leave)
  const onKeyDown = (event: KeyboardEvent) => {
    // The lightbox also handles letters and arrow keys.
    event.stopPropagation()
    if (event.key === 'Escape' && !event.defaultPrevented) void discard()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
    else return
    event.preventDefault()
  }
  return (
    <form
      ref={formRef}
      onSubmit={submit}
      noValidate
      onKeyDown={onKeyDown}
      onKeyUp={stop}
      onPointerDown={stop}
      onWheel={stop}
      className="grid gap-5 px-5 pt-1 pb-8"
    >
      <FormFailure failure={failure} busy={busy} onRetry={submit} />
      {begun && (
        <Notice>
          <Trans>Your unsaved changes have been restored.</Trans>
        </Notice>
      )}
      <Field label={t`Description`} error={fields.alt} hint={t`Read aloud by screen readers, and used by the search.`}>
        {(control) => <Textarea {...control} rows={2} autoFocus value={draft.alt} onChange={(event) => set({ alt: event.target.value })} />}
      </Field>
      <WhenFields draft={draft} fields={fields} suggested={zoneNear([], draft.location, others)} onChange={set} />
      <FileTime id={base.id} draft={draft} onChange={set} />
      <PlaceField place={base.place} location={draft.location} hidden={draft.placeHidden} onChange={set} />
      <PeopleField value={draft.people} onChange={(people) => set({ people })} />
      <div className="flex justify-end gap-2">
        <Button onClick={() => void discard()}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" variant="primary" loading={busy}>
          <Trans>Save</Trans>
        </Button>
      </div>
    </form>
  )
}

/** Offers when the file was last changed, for a photo without any date. */
function FileTime({ id, draft, onChange }: { id: string; draft: AssetDraft; onChange: (change: Partial<AssetDraft>) => void }) {
  const time = useAtomValue(fileTimesAtom).get(id)
  if (time === undefined || draft.day) return null
  const [date, zone] = [new Date(time).toISOString(), localZone()]
  return (
    <Button
      variant="ghost"
      size="sm"
      icon="calendar-today"
      className="-mt-2 -ms-2 justify-self-start"
      onClick={({ currentTarget: { form } }) => {
        onChange({ exact: 'day', day: dayHere(date), time: timeAt(date, zone), zone })
        // The button goes.
        form?.querySelector<HTMLElement>('[type=date]')?.focus()
      }}
    >
      <Trans>Use the file's time, {formatWhen({ date, date_zone: zone, date_precision: 'minute' })}</Trans>
    </Button>
  )
}

function stop(event: SyntheticEvent) {
  event.stopPropagation()
}
