import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { Link } from 'react-router'
import { plural, t } from '#say'
import { Plural, Trans } from '#say/react'
import type { AccountEnd } from '../../../contract/account.ts'
import type { Collection } from '../../../contract/collections.ts'
import { deleteAccountAtom } from '../../atoms/account.ts'
import { collectionsAtom } from '../../atoms/collections.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { sessionUserAtom } from '../../atoms/session.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { FormDialog } from '../../components/overlays/form-dialog.tsx'
import { useSubmit } from '../../components/overlays/use-submit.ts'
import { useReauthentication } from '../../components/session/use-reauthentication.ts'
import { collectionLink } from '../../lib/links.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { RadioList } from '../../ui/radio-list.tsx'

/** Deletes the account, after listing everything that is deleted with it. */
export function DeleteDialog({ open, close, onClosed }: OverlayProps<void>) {
  const [items, setItems] = useState<AccountEnd['items']>('leave')
  const [sure, setSure] = useState(false)
  const [email, setEmail] = useState('')
  const user = useAtomValue(sessionUserAtom)
  const remove = useSetAtom(deleteAccountAtom)
  const addToast = useSetAtom(addToastAtom)
  const withReauthentication = useReauthentication()
  const owned = (useAtomValue(collectionsAtom) ?? []).filter(({ role }) => role === 'owner')
  const form = useSubmit(async () => {
    const end = { email, items, deleteCollections: owned.map(({ id }) => id) }
    const done = await withReauthentication(async () => {
      await remove(end)
      return true
    })
    if (!done) return
    close()
    addToast({ title: t`Account deleted`, icon: 'check-circle' })
  })
  const typed = email.trim().toLowerCase() === user?.email
  const reason =
    owned.length > 0 && !sure ? t`Choose first what happens to your collections` : typed ? undefined : t`Type your e-mail first`
  return (
    <FormDialog
      form={form}
      open={open}
      onCancel={close}
      onClosed={onClosed}
      title={t`Delete your account?`}
      description={t`This deletes your name, address, memberships, access tokens, calendar links and invitations, and all data on this device. It cannot be undone.`}
      action={<Trans>Delete account</Trans>}
      danger
      reason={reason}
    >
      {owned.length > 0 && <Owned collections={owned} sure={sure} onSure={setSure} onLeave={() => close()} />}
      <RadioList
        label={t`Your items in other people’s collections`}
        value={items}
        onChange={setItems}
        options={[
          { value: 'leave', label: t`Leave them there`, hint: t`They stay, shown as added by “Former member”.` },
          {
            value: 'remove',
            label: t`Delete them`,
            hint: t`Your posts, photos, files, comments and reactions are deleted everywhere.`,
          },
        ]}
      />
      <Field label={user ? t`Type ${{ email: user.email }} to continue` : t`Type your e-mail to continue`} error={form.fields.email}>
        {(control) => (
          <Input {...control} type="email" autoComplete="off" value={email} onChange={(event) => setEmail(event.target.value)} />
        )}
      </Field>
    </FormDialog>
  )
}

interface OwnedProps {
  collections: Collection[]
  sure: boolean
  onSure: (sure: boolean) => void
  onLeave: () => void
}

function Owned({ collections, sure, onSure, onLeave }: OwnedProps) {
  return (
    <section aria-label={t`Your collections`} className="grid gap-3">
      <p className="text-sm text-pretty">
        <Plural
          value={collections.length}
          one="You own a collection. Transfer what the others should keep; what stays yours is deleted for all its members."
          other="You own # collections. Transfer what the others should keep; what stays yours is deleted for all its members."
        />
      </p>
      <ul className="max-h-48 divide-y overflow-y-auto rounded-lg border">
        {collections.map(({ id, name, member_count }) => (
          <li key={id} className="flex min-h-11 items-center gap-3 px-3 py-1.5 text-sm">
            <span className="min-w-0 grow truncate font-medium" dir="auto">
              {name}
            </span>
            {member_count > 1 ? (
              <Link
                to={collectionLink('settings', id)}
                onClick={onLeave}
                aria-label={t`Transfer ${name}`}
                className="shrink-0 rounded-sm text-accent underline underline-offset-3"
              >
                <Trans context="verb">Transfer</Trans>
              </Link>
            ) : (
              <span className="shrink-0 text-muted">
                <Trans>Only you</Trans>
              </span>
            )}
          </li>
        ))}
      </ul>
      <Checkbox
        checked={sure}
        onCheckedChange={onSure}
        label={t`${plural(collections.length, { one: 'Delete this collection', other: 'Delete these # collections' })}`}
      />
    </section>
  )
}
