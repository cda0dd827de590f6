import { useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { joined } from '#language'
import { plural, t } from '#say'
import type { Collection } from '../../../contract/collections.ts'
import type { PersonInviteResult } from '../../../contract/invites.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Person } from '../../../contract/people.ts'
import { invitePeopleAtom } from '../../atoms/members.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { invitationHint } from '../../components/members/invitation-hint.ts'
import { FormDialog } from '../../components/overlays/form-dialog.tsx'
import { useDiscard } from '../../components/overlays/use-discard.ts'
import { useSubmit } from '../../components/overlays/use-submit.ts'
import { AddressPaste } from './address-paste.tsx'
import { type InviteEntry, InviteRow } from './invite-row.tsx'

interface InvitePeopleDialogProps extends OverlayProps<undefined> {
  collection: Collection
  people: Person[]
}

const EMPTY: InviteEntry = { selected: false, email: '', outcome: null, reason: undefined }

/** Invites several people without an account at once. Those who could not be invited stay, with the reason. */
export function InvitePeopleDialog({ collection, people, open, close, onClosed }: InvitePeopleDialogProps) {
  const [entries, setEntries] = useState<ReadonlyMap<string, InviteEntry>>(new Map())
  const [pasted, setPasted] = useState('')
  const entryOf = ({ id }: Person) => entries.get(id) ?? EMPTY
  const change = (id: string, entry: Partial<InviteEntry>) =>
    setEntries((all) => new Map(all).set(id, { ...EMPTY, ...all.get(id), outcome: null, reason: undefined, ...entry }))
  const chosen = people.filter((person) => entryOf(person).selected && entryOf(person).outcome !== 'invited')
  const invited = people.filter((person) => entryOf(person).outcome === 'invited').length
  const invite = useSetAtom(invitePeopleAtom)
  const addToast = useSetAtom(addToastAtom)

  const form = useSubmit(async () => {
    const lines = chosen.map((person) => ({ personId: person.id, email: entryOf(person).email }))
    const { results, mailed } = await invite(collection.id, lines)
    for (const result of results) change(result.personId, outcomeOf(result))
    if (results.some((result) => 'error' in result)) return
    const sent = t`${plural(invited + results.length, { one: '# invitation sent', other: '# invitations sent' })}`
    addToast({ title: sent, description: invitationHint(mailed), color: 'success', icon: 'mail' })
    close(undefined)
  })
  const typed = people.some((person) => entryOf(person).email.trim() !== '' && entryOf(person).outcome !== 'invited')
  const discard = useDiscard((typed || pasted.trim() !== '') && !form.busy, () => close(undefined))
  const refused = people.filter((person) => entryOf(person).outcome === 'refused').length
  useEffect(() => {
    if (refused > 0 && !form.busy) form.formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refused, form.busy, form.formRef])

  return (
    <FormDialog
      form={form}
      open={open}
      onCancel={() => void discard()}
      cancel={invited > 0 ? t`Done` : t`Cancel`}
      onClosed={onClosed}
      size="lg"
      title={t`Invite people`}
      description={t`They become readers, and everything they are tagged in is linked to their account.`}
      action={
        chosen.length > 0 ? t`${plural(chosen.length, { one: 'Send # invitation', other: 'Send # invitations' })}` : t`Send invitations`
      }
      icon="send"
      reason={reasonAgainst(chosen.length)}
      note={
        <p aria-live="polite" className="me-auto text-sm text-muted">
          {joined([
            invited > 0 && t`${plural(invited, { one: '# invited', other: '# invited' })}`,
            refused > 0 && t`${plural(refused, { one: '# could not be invited', other: '# could not be invited' })}`,
          ])}
        </p>
      }
    >
      <ul aria-label={t`People to invite`} className="divide-y rounded-lg border">
        {people.map((person) => (
          <InviteRow key={person.id} person={person} entry={entryOf(person)} onChange={(entry) => change(person.id, entry)} />
        ))}
      </ul>
      <AddressPaste
        people={people.filter((person) => entryOf(person).outcome !== 'invited')}
        unaddressed={chosen.filter((person) => entryOf(person).email.trim() === '')}
        text={pasted}
        onText={setPasted}
        onFill={(emails) => {
          for (const [id, email] of emails) change(id, { email, selected: true })
        }}
      />
    </FormDialog>
  )
}

function outcomeOf(result: PersonInviteResult): Pick<InviteEntry, 'outcome' | 'reason'> {
  if ('invite' in result) return { outcome: 'invited', reason: undefined }
  const { fields = {}, message } = result.error
  return { outcome: 'refused', reason: Object.values(fields)[0] ?? message }
}

function reasonAgainst(count: number): string | undefined {
  if (count === 0) return t`Select at least one person`
  const most = LIMITS.invitesPerCall
  return count > most ? t`${plural(most, { one: 'Invite at most # person at once', other: 'Invite at most # people at once' })}` : undefined
}
